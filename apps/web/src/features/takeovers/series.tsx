import { useQuery } from '@tanstack/react-query'
import { takeovers } from '@voisol/contract/takeovers'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

type InvoiceSequence = z.output<typeof takeovers.series.response>['items'][number]
const LastForm = z.object({ last: z.coerce.number().int().min(0).max(9_999_998) })

function ContinueSequenceForm({ series: sequence, onDone }: { series: InvoiceSequence; onDone: () => void }) {
  const save = useAction(takeovers.continueSeries, [takeovers.series])
  const form = useSchemaForm(LastForm, {
    defaults: { last: sequence.last },
    save: async ({ last }) => {
      const { next } = await save.run({ body: { sellerId: sequence.seller.id, year: sequence.year, last } })
      toast({ title: `La prochaine facture portera le numéro ${next}`, variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="last" label="Dernier numéro pris ailleurs" inputMode="numeric" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Continuer la série
      </Button>
    </form>
  )
}

const ContinueSequenceButton = withAccess(
  takeovers.continueSeries,
  ({ series: sequence }: { series: InvoiceSequence }) => {
    const [open, setOpen] = useState(false)
    if (!sequence.free) return null
    return (
      <Dialog
        title={`Numéros de ${sequence.seller.name} en ${sequence.year}`}
        description="Tant que rien n’a été émis ici, la série peut reprendre là où l’autre outil l’a laissée."
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button
            variant="secondary"
            size="small"
            aria-label={`Continuer la série de ${sequence.seller.name}, ${sequence.year}`}
          >
            Continuer
          </Button>
        }
      >
        <ContinueSequenceForm series={sequence} onDone={() => setOpen(false)} />
      </Dialog>
    )
  },
)

/** Where the numbers of each seller go on. */
export function InvoiceSequencesCard() {
  const { data, error, refetch } = useQuery(query(takeovers.series, {}))
  return (
    <Card
      title="Séries de numéros"
      description="Une suite de numéros n’a ni trou ni double, même en changeant d’outil."
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data && data.items.length === 0 && (
        <p className="text-body text-ink-soft">Aucun vendeur n’est encore enregistré.</p>
      )}
      <ul aria-label="Séries de numéros" className="divide-y divide-line">
        {data?.items.map((sequence) => (
          <li
            key={`${sequence.seller.id} ${sequence.year}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-body first:pt-0 last:pb-0"
          >
            <span className="min-w-0">
              <span className="block font-medium">{`${sequence.seller.name}, ${sequence.year}`}</span>
              <span className="tabular block text-[0.8125rem] text-ink-soft">
                {`Prochain numéro\u00a0: ${sequence.next}${sequence.before > 0 ? `, ${sequence.before} pris ailleurs` : ''}`}
              </span>
            </span>
            <ContinueSequenceButton series={sequence} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
