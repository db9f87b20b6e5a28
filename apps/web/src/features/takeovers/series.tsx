import { useQuery } from '@tanstack/react-query'
import { takeovers } from '@voisol/contract/takeovers'
import { useState } from 'react'
import { z } from 'zod'
import { only } from '../../lib/can.tsx'
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

type Series = z.output<typeof takeovers.series.response>['items'][number]
const LastForm = z.object({ last: z.coerce.number().int().min(0).max(9_999_998) })

function Form({ series, onDone }: { series: Series; onDone: () => void }) {
  const save = useAction(takeovers.continueSeries, [takeovers.series])
  const form = useSchemaForm(LastForm, {
    defaults: { last: series.last },
    save: async ({ last }) => {
      const { next } = await save.run({ body: { sellerId: series.seller.id, year: series.year, last } })
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

const Continue = only(takeovers.continueSeries, ({ series }: { series: Series }) => {
  const [open, setOpen] = useState(false)
  if (!series.free) return null
  return (
    <Dialog
      title={`Numéros de ${series.seller.name} en ${series.year}`}
      description="Tant que rien n’a été émis ici, la série peut reprendre là où l’autre outil l’a laissée."
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          variant="secondary"
          size="small"
          aria-label={`Continuer la série de ${series.seller.name}, ${series.year}`}
        >
          Continuer
        </Button>
      }
    >
      <Form series={series} onDone={() => setOpen(false)} />
    </Dialog>
  )
})

/** Where the numbers of each seller go on. */
export function SeriesCard() {
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
        {data?.items.map((series) => (
          <li
            key={`${series.seller.id} ${series.year}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-body first:pt-0 last:pb-0"
          >
            <span className="min-w-0">
              <span className="block font-medium">{`${series.seller.name}, ${series.year}`}</span>
              <span className="tabular block text-[0.8125rem] text-ink-soft">
                {`Prochain numéro\u00a0: ${series.next}${series.before > 0 ? `, ${series.before} pris ailleurs` : ''}`}
              </span>
            </span>
            <Continue series={series} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
