import { useQuery } from '@tanstack/react-query'
import { type SupportTicket, supportDesk } from '@voisol/contract/support-agents'
import { TICKET_CATEGORY_LABELS, TICKET_PRIORITY_LABELS, TICKET_STATE_LABELS } from '@voisol/contract/support-labels'
import { FactList } from '../../../components/card.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { Can } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { ticketCategoryOptions, ticketPriorityOptions, ticketStateOptions } from './labels.ts'

/** Changes one thing of a ticket at once. */
export function useUpdateTicket(ticket: Pick<SupportTicket, 'id' | 'version'>) {
  const update = useAction(supportDesk.update, [supportDesk.get, supportDesk.queue, supportDesk.figures])
  const set = (change: object) =>
    update.run({ params: { id: ticket.id }, body: { version: ticket.version, ...change } }).then(
      () => toast({ title: 'Suivi enregistré', variant: 'success' }),
      (error: unknown) => toast({ title: 'Suivi refusé', description: explainError(error), variant: 'destructive' }),
    )
  return { set, busy: update.isPending }
}

const NOBODY_ID = ''

function FollowUpControls({ ticket }: { ticket: SupportTicket }) {
  const { set, busy } = useUpdateTicket(ticket)
  const people = useQuery(query(supportDesk.people, {})).data?.items ?? []
  const formerAssignees =
    ticket.assignee && !people.some(({ id }) => id === ticket.assignee?.id) ? [ticket.assignee] : []
  const renderSelect = (
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
  const assigneeOptions = [{ id: NOBODY_ID, name: 'Personne' }, ...formerAssignees, ...people].map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  const states = ticketStateOptions.filter(({ value }) => value !== 'new' || ticket.state === 'new')
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-1">
      {renderSelect('ticket-state', 'État', ticket.state, states, (state) => ({ state }))}
      {renderSelect('ticket-assignee', 'Attribuée à', ticket.assignee?.id ?? NOBODY_ID, assigneeOptions, (id) => ({
        assigneeId: id || null,
      }))}
      {renderSelect('ticket-priority', 'Priorité', ticket.priority, ticketPriorityOptions, (priority) => ({
        priority,
      }))}
      {renderSelect('ticket-category', 'Sujet', ticket.category, ticketCategoryOptions, (category) => ({ category }))}
    </div>
  )
}

/** How the ticket stands, to be changed by who may. */
export const TicketFollowUp = ({ ticket }: { ticket: SupportTicket }) => (
  <Can
    call={supportDesk.update}
    otherwise={
      <FactList
        facts={[
          { label: 'État', value: TICKET_STATE_LABELS[ticket.state] },
          { label: 'Attribuée à', value: ticket.assignee?.name ?? 'Personne' },
          { label: 'Priorité', value: TICKET_PRIORITY_LABELS[ticket.priority] },
          { label: 'Sujet', value: TICKET_CATEGORY_LABELS[ticket.category] },
        ]}
      />
    }
  >
    <FollowUpControls ticket={ticket} />
  </Can>
)
