import { useQuery } from '@tanstack/react-query'
import { type SupportHours, supportDesk } from '@voisol/contract/support-agents'
import { type SupportTeam, TICKET_PRIORITY_LABELS, type TicketPriority } from '@voisol/contract/support-labels'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Checkbox } from '../../../components/checkbox.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { FieldFrame, Input } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { DESK_LABELS } from './labels.ts'

const DAY_NAMES = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']
const PRIORITY_ORDER: TicketPriority[] = ['urgent', 'high', 'normal', 'low']
type HoursDraft = SupportHours & { version: number }
type HoursPartProps = { draft: HoursDraft; change: (more: Partial<HoursDraft>) => void; locked: boolean }

const DayFields = ({ draft, change, locked }: HoursPartProps) => (
  <fieldset className="grid gap-2">
    <legend className="mb-1.5 text-body font-medium">Jours d’ouverture</legend>
    <div className="flex flex-wrap gap-x-5 gap-y-2">
      {DAY_NAMES.map((name, at) => (
        <Checkbox
          key={name}
          label={name}
          disabled={locked}
          checked={draft.days.includes(at + 1)}
          onChange={(event) =>
            change({
              days: event.target.checked ? [...draft.days, at + 1].sort() : draft.days.filter((day) => day !== at + 1),
            })
          }
        />
      ))}
    </div>
    <Checkbox
      label="Jours fériés d’Alsace-Moselle"
      hint="Le vendredi saint et le 26 décembre, en plus des jours fériés nationaux."
      disabled={locked}
      checked={draft.alsaceMoselle}
      onChange={(event) => change({ alsaceMoselle: event.target.checked })}
    />
  </fieldset>
)

const TimeFields = ({ draft, change, locked }: HoursPartProps) => (
  <div className="grid max-w-md gap-4 sm:grid-cols-2">
    {(['from', 'to'] as const).map((end) => (
      <FieldFrame
        key={end}
        id={`hours-${end}`}
        label={end === 'from' ? 'De' : 'À'}
        hint="Heure de Paris, par exemple 09:00."
      >
        <Input
          id={`hours-${end}`}
          value={draft[end]}
          disabled={locked}
          inputMode="numeric"
          aria-describedby={`hours-${end}-hint`}
          onChange={(event) => change({ [end]: event.target.value })}
        />
      </FieldFrame>
    ))}
  </div>
)

/** Working hours in the fields, minutes in the promise. */
const PromiseFields = ({ draft, change, locked }: HoursPartProps) => {
  const setPromise = (priority: TicketPriority, part: 'first' | 'solve', hours: string) => {
    const minutes = Math.round(Number(hours.replace(',', '.')) * 60)
    if (!Number.isFinite(minutes)) return
    change({ promises: { ...draft.promises, [priority]: { ...draft.promises[priority], [part]: minutes } } })
  }
  return (
    <fieldset>
      <legend className="mb-1.5 text-body font-medium">Délais promis, en heures d’ouverture</legend>
      <div className="grid max-w-2xl gap-3">
        {PRIORITY_ORDER.map((priority) => (
          <div key={priority} className="grid items-end gap-3 sm:grid-cols-[8rem_1fr_1fr]">
            <span className="pb-2 text-body font-medium">{TICKET_PRIORITY_LABELS[priority]}</span>
            {(['first', 'solve'] as const).map((part) => (
              <FieldFrame
                key={part}
                id={`promise-${priority}-${part}`}
                label={part === 'first' ? 'Première réponse' : 'Résolution'}
              >
                <Input
                  id={`promise-${priority}-${part}`}
                  aria-label={`${part === 'first' ? 'Première réponse' : 'Résolution'}, priorité ${TICKET_PRIORITY_LABELS[priority].toLowerCase()}, en heures`}
                  type="number"
                  min={0.25}
                  step={0.25}
                  disabled={locked}
                  defaultValue={draft.promises[priority][part] / 60}
                  onChange={(event) => setPromise(priority, part, event.target.value)}
                />
              </FieldFrame>
            ))}
          </div>
        ))}
      </div>
    </fieldset>
  )
}

function HoursForm({ desk, hours }: { desk: SupportTeam; hours: HoursDraft }) {
  const save = useAction(supportDesk.setHours, [supportDesk.hours])
  const [draft, setDraft] = useState(hours)
  const [problem, setProblem] = useState('')
  const partProps = { draft, change: (more: Partial<HoursDraft>) => setDraft({ ...draft, ...more }), locked: false }
  const send = () => {
    setProblem('')
    return save.run({ body: { ...draft, desk } }).then(
      () => toast({ title: 'Horaires enregistrés', variant: 'success' }),
      (error: unknown) => setProblem(explainError(error)),
    )
  }
  return (
    <div className="grid gap-6">
      {problem && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <DayFields {...partProps} />
      <TimeFields {...partProps} />
      <PromiseFields {...partProps} />
      <p className="text-[0.8125rem] text-ink-soft">
        Ce qui est déjà promis le reste&nbsp;: ces délais valent pour ce qui s’ouvre ou change ensuite. Le temps où vous
        attendez le demandeur ne compte pas.
      </p>
      <Button className="justify-self-start" loading={save.isPending} onClick={() => void send()}>
        Enregistrer les horaires
      </Button>
    </div>
  )
}

const ReadOnlyHours = ({ hours }: { hours: HoursDraft }) => {
  const partProps = { draft: hours, change: () => {}, locked: true }
  return (
    <div className="grid gap-6">
      <DayFields {...partProps} />
      <TimeFields {...partProps} />
      <PromiseFields {...partProps} />
    </div>
  )
}

/** When a desk is open, and what it promises. */
export default function SupportHoursCard() {
  const can = useCan()
  const [desk, setDesk] = useState<SupportTeam>('organiser')
  const { data, error, refetch } = useQuery(query(supportDesk.hours, { query: { desk } }))
  return (
    <Card title="Horaires et délais" description="Les délais se comptent en heures d’ouverture, jours fériés exclus.">
      <div className="grid gap-6">
        {can('support.keep') && (
          <FilterChips
            label="Bureau"
            options={Object.entries(DESK_LABELS).map(([value, label]) => ({ value, label }))}
            value={desk}
            onChange={(value) => setDesk(value === 'keeper' ? 'keeper' : 'organiser')}
          />
        )}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && <Skeleton className="h-64 w-full" />}
        {data &&
          (can(supportDesk.setHours) ? (
            <HoursForm key={`${desk} ${data.version}`} desk={desk} hours={data} />
          ) : (
            <ReadOnlyHours key={desk} hours={data} />
          ))}
      </div>
    </Card>
  )
}
