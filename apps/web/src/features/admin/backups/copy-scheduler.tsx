import { useQuery } from '@tanstack/react-query'
import { backups, type CopySchedule } from '@voisol/contract/backups'
import type { EndpointReply } from '@voisol/contract/endpoint'
import { useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Switch } from '../../../components/radio-group.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { CopyFacts, notifyStarted, showFailure } from './copy-labels.tsx'

const buildOptions = (values: number[], word: (value: number) => string) =>
  values.map((value) => ({ value: `${value}`, label: word(value) }))
const HOUR_OPTIONS = buildOptions([...Array(24).keys()], (hour) => `${String(hour).padStart(2, '0')}\u00a0h`)
const WEEKDAY_NAMES = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche']

const RESTORE_TEST_DAY_OPTIONS = buildOptions([1, 2, 3, 4, 5, 6, 7], (day) => WEEKDAY_NAMES[day - 1] ?? '')
const buildCountFormatter = (one: string, many: string) => (n: number) =>
  n === 0 ? 'aucun' : `${n} ${n > 1 ? many : one}`
const RETENTION_OPTIONS = {
  days: buildOptions([3, 5, 7, 10, 14, 21, 30, 60, 90], buildCountFormatter('jour', 'jours')),
  weeks: buildOptions([0, 2, 4, 6, 8, 12, 26, 52], buildCountFormatter('semaine', 'semaines')),
  months: buildOptions([0, 3, 6, 12, 24, 36, 60, 120], buildCountFormatter('mois', 'mois')),
}
type ScheduleField = 'hour' | 'drillDay' | keyof typeof RETENTION_OPTIONS
type ScheduleFieldDefinition = { label: string; name: ScheduleField; options: { value: string; label: string }[] }
const SCHEDULE_FIELDS: ScheduleFieldDefinition[] = [
  { label: 'Heure de la copie, à Paris', name: 'hour', options: HOUR_OPTIONS },
  { label: 'Essai de restauration, le', name: 'drillDay', options: RESTORE_TEST_DAY_OPTIONS },
  { label: 'Une copie par jour, pendant', name: 'days', options: RETENTION_OPTIONS.days },
  { label: 'Une par semaine, pendant', name: 'weeks', options: RETENTION_OPTIONS.weeks },
  { label: 'Une par mois, pendant', name: 'months', options: RETENTION_OPTIONS.months },
]

/** What was set by the API and is in no list is shown as it is. */
const withCurrentValue = (listed: ScheduleFieldDefinition['options'], value: number) =>
  listed.some((one) => one.value === `${value}`) ? listed : [{ value: `${value}`, label: `${value}` }, ...listed]

type Schedule = EndpointReply<typeof backups.installation>['schedule']

const SaveButton = withAccess(
  backups.saveSchedule,
  function SaveButton({ draft, disabled }: { draft: Schedule; disabled: boolean }) {
    const save = useAction(backups.saveSchedule, [backups.installation])
    return (
      <Button
        className="justify-self-start"
        disabled={disabled}
        loading={save.isPending}
        onClick={() => void save.run({ body: draft }).then(notifyStarted('Horaire enregistré'), showFailure)}
      >
        Enregistrer l’horaire
      </Button>
    )
  },
)

function ScheduleForm({ data }: { data: EndpointReply<typeof backups.installation> }) {
  const { schedule } = data
  const [draft, setDraft] = useState(schedule)
  const canWrite = useCan()(backups.saveSchedule)
  const changed = JSON.stringify(draft) !== JSON.stringify(schedule)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
      <div className="grid gap-6 [&>*]:min-w-0">
        <Card
          title="Horaire et durée de garde"
          description="La copie se fait seule, et l’essai de restauration une fois par semaine, une heure après elle."
        >
          <fieldset disabled={!canWrite} className="grid gap-4">
            <Switch
              label="Copier chaque nuit"
              checked={draft.enabled}
              onChange={({ target }) => setDraft({ ...draft, enabled: target.checked })}
            />
            {SCHEDULE_FIELDS.map(({ label, name, options: listed }) => (
              <div key={name} className="grid gap-1.5 text-body sm:grid-cols-[minmax(0,1fr)_12rem] sm:items-center">
                <label htmlFor={`copies-${name}`}>{label}</label>
                <Select
                  id={`copies-${name}`}
                  value={`${draft[name]}`}
                  options={withCurrentValue(listed, draft[name])}
                  onChange={({ target }) => setDraft({ ...draft, [name]: Number(target.value) })}
                />
              </div>
            ))}
            <SaveButton draft={draft} disabled={!changed} />
          </fieldset>
        </Card>
        <Card
          title="Où en sont les copies"
          actions={
            <ButtonLink variant="secondary" to="/admin/backups">
              Voir les copies
            </ButtonLink>
          }
        >
          <CopyFacts data={data} />
        </Card>
      </div>
      <RetentionPreview retention={draft} />
    </div>
  )
}

export default function BackupScheduler() {
  const { data, error, refetch } = useQuery(query(backups.installation, {}))
  return (
    <>
      <PageHeader
        title="Horaire des copies"
        description="Quand l’installation est copiée, combien de temps chaque copie est gardée, et ce que cela laisse."
      />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : data ? (
        <ScheduleForm key={data.schedule.version} data={data} />
      ) : (
        <Skeleton className="h-96 w-full" />
      )}
    </>
  )
}

const RETENTION_PERIOD_LABELS = { day: 'jour', week: 'semaine', month: 'mois' }

/** What these rules would leave of a copy a day in the long run, and what they would take away now. */
function RetentionPreview({ retention }: { retention: CopySchedule }) {
  const { days, weeks, months } = retention
  const { data, error, refetch } = useQuery(query(backups.preview, { query: { days, weeks, months } }))
  return (
    <Card
      title="Ce qui serait gardé"
      description={
        data
          ? `${formatCount(data.steady.length, 'copie')} en régime de croisière, de la plus récente à la plus ancienne.`
          : undefined
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <div className="grid gap-4">
          {data.leaving.length > 0 && (
            <p className="rounded-card bg-warning-soft p-3 text-body text-warning">
              {`${formatCount(data.leaving.length, 'copie existante partirait', 'copies existantes partiraient')} à la prochaine copie\u00a0: ${data.leaving.join(', ')}.`}
            </p>
          )}
          <ol className="grid gap-1" aria-label="Copies gardées">
            {data.steady.map(({ day, keptFor }) => (
              <li key={day} className="flex items-center justify-between gap-4 py-1 text-body">
                <span className="tabular">{formatDate(day)}</span>
                <span className="flex flex-wrap justify-end gap-1.5">
                  {keptFor.map((reason) => (
                    <Badge key={reason} tone={reason === 'day' ? 'info' : reason === 'week' ? 'neutral' : 'success'}>
                      {RETENTION_PERIOD_LABELS[reason]}
                    </Badge>
                  ))}
                </span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Card>
  )
}
