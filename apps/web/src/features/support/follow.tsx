import { useQuery } from '@tanstack/react-query'
import { type DeskTicket, supportDesk } from '@voisol/contract/support-desk'
import { CATEGORY_LABELS, PRIORITY_LABELS, STATE_LABELS } from '@voisol/contract/support-words'
import { Can } from '../../lib/can.tsx'
import { explain } from '../../lib/explain.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { FactList } from '../../ui/fact-list.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { categoryOptions, priorityOptions, stateOptions } from './words.ts'

/** Changes one thing of a ticket at once. */
export function useFollow(ticket: Pick<DeskTicket, 'id' | 'version'>) {
  const update = useAction(supportDesk.update, [supportDesk.get, supportDesk.queue, supportDesk.figures])
  const set = (change: object) =>
    update.run({ params: { id: ticket.id }, body: { version: ticket.version, ...change } }).then(
      () => toast({ title: 'Suivi enregistré', variant: 'success' }),
      (error: unknown) => toast({ title: 'Suivi refusé', description: explain(error), variant: 'destructive' }),
    )
  return { set, busy: update.isPending }
}

const NOBODY = ''

function Controls({ ticket }: { ticket: DeskTicket }) {
  const { set, busy } = useFollow(ticket)
  const people = useQuery(query(supportDesk.people, {})).data?.items ?? []
  const known = ticket.assignee && !people.some(({ id }) => id === ticket.assignee?.id) ? [ticket.assignee] : []
  const row = (
    id: string,
    label: string,
    value: string,
    options: { value: string; label: string }[],
    change: (value: string) => object,
  ) => (
    <FieldFrame id={id} label={label}>
      <Select
        id={id}
        value={value}
        options={options}
        disabled={busy || ticket.mergedInto !== null}
        onChange={(event) => void set(change(event.target.value))}
      />
    </FieldFrame>
  )
  const who = [{ id: NOBODY, name: 'Personne' }, ...known, ...people].map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  const states = stateOptions.filter(({ value }) => value !== 'new' || ticket.state === 'new')
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-1">
      {row('ticket-state', 'État', ticket.state, states, (state) => ({ state }))}
      {row('ticket-assignee', 'Attribuée à', ticket.assignee?.id ?? NOBODY, who, (id) => ({ assigneeId: id || null }))}
      {row('ticket-priority', 'Priorité', ticket.priority, priorityOptions, (priority) => ({ priority }))}
      {row('ticket-category', 'Sujet', ticket.category, categoryOptions, (category) => ({ category }))}
    </div>
  )
}

/** How the ticket stands, to be changed by who may. */
export const Follow = ({ ticket }: { ticket: DeskTicket }) => (
  <Can
    call={supportDesk.update}
    otherwise={
      <FactList
        facts={[
          { label: 'État', value: STATE_LABELS[ticket.state] },
          { label: 'Attribuée à', value: ticket.assignee?.name ?? 'Personne' },
          { label: 'Priorité', value: PRIORITY_LABELS[ticket.priority] },
          { label: 'Sujet', value: CATEGORY_LABELS[ticket.category] },
        ]}
      />
    }
  >
    <Controls ticket={ticket} />
  </Can>
)
