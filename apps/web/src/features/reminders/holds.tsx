import { useQuery } from '@tanstack/react-query'
import { HOLD_KIND_LABELS, type Hold, reminders } from '@voisol/contract/reminders'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { type Column, Table } from '../../ui/table.tsx'

const PART_STATE_LABELS: Record<Hold['parts'][number]['state'], string> = {
  kept: 'tenue',
  broken: 'manquée',
  coming: 'à venir',
}

function describeHold({ kind, reason, until, parts, invoiceNumber }: Hold): string {
  if (kind === 'dispute') return [invoiceNumber, reason].filter(Boolean).join('\u00a0: ')
  if (kind === 'promise') return `Pour le ${formatDate(until ?? '')}${reason ? `\u00a0: ${reason}` : ''}`
  return parts
    .map(({ on, amount, state }) => `${formatDate(on)} ${formatMoney(amount)} (${PART_STATE_LABELS[state]})`)
    .join(', ')
}

function getHoldState({ holds, kind, parts }: Hold): { label: string; tone: Tone } {
  if (holds) return { label: 'Suspend les relances', tone: 'info' }
  if (parts.length > 0 && parts.every(({ state }) => state === 'kept')) return { label: 'Tenu', tone: 'success' }
  return { label: kind === 'promise' ? 'Promesse passée' : 'Rompu', tone: 'danger' }
}

const columns: Column<Hold>[] = [
  { header: 'Acheteur', card: 'title', cell: ({ buyer }) => <span className="font-medium">{buyer.name}</span> },
  { header: 'Nature', card: 'primary', cell: ({ kind }) => HOLD_KIND_LABELS[kind] },
  {
    header: 'Détail',
    card: 'secondary',
    cell: (hold) => <span className="block max-w-96 py-1">{describeHold(hold)}</span>,
  },
  { header: 'Depuis', card: 'primary', cell: ({ startsOn }) => formatDate(startsOn) },
  {
    header: 'État',
    card: 'primary',
    cell: (hold) => <Badge tone={getHoldState(hold).tone}>{getHoldState(hold).label}</Badge>,
  },
]

const CloseForm = z.object({ resolution: z.string().trim().min(5, 'Dites comment cela s’est conclu.').max(1000) })

const CloseHold = withAccess(reminders.closeHold, ({ hold }: { hold: Hold }) => {
  const [open, setOpen] = useState(false)
  const close = useAction(reminders.closeHold, [reminders.holds, reminders.due])
  const form = useSchemaForm(CloseForm, {
    defaults: { resolution: '' },
    save: async ({ resolution }) => {
      await close.run({ params: { id: hold.id }, body: { resolution, version: hold.version } })
      toast({ title: 'Clos\u00a0: les relances reprennent', variant: 'success' })
      setOpen(false)
    },
  })
  return (
    <>
      <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
        Clore
      </Button>
      {open && (
        <Dialog
          open
          onOpenChange={setOpen}
          width="narrow"
          title={`Clore\u00a0: ${HOLD_KIND_LABELS[hold.kind]}, ${hold.buyer.name}`}
        >
          <form onSubmit={form.submit} noValidate className="grid gap-5">
            <FormErrors form={form} />
            <Field form={form} name="resolution" label="Comment cela s’est conclu" />
            <footer className="flex justify-end">
              <Button type="submit" loading={form.formState.isSubmitting}>
                Clore
              </Button>
            </footer>
          </form>
        </Dialog>
      )}
    </>
  )
})

/** Disputes, promises and schedules that are open. */
export function OpenHolds() {
  const { data } = useQuery(query(reminders.holds, { query: { open: 'true' } }))
  if (!data?.items.length) return null
  return (
    <section className="grid gap-3 [&>*]:min-w-0">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Litiges, promesses et échéanciers</h2>
      <Table
        label="Litiges, promesses et échéanciers"
        rows={data.items}
        columns={columns}
        rowActions={(hold) => <CloseHold hold={hold} />}
      />
    </section>
  )
}
