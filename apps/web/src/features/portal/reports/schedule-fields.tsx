import { Checkbox } from '../../../components/checkbox.tsx'
import { FieldFrame, Select } from '../../../components/input.tsx'
import { MONTH_NAMES } from './report-periods.ts'

const DAY_OPTIONS = Array.from({ length: 28 }, (_, at) => ({
  value: `${at + 1}`,
  label: `le ${at === 0 ? '1er' : at + 1}`,
}))

type RecipientOptions = { id: string; name: string; email: string }[]
type RecipientCheckboxesProps = {
  people: RecipientOptions
  chosen: string[]
  error: string | undefined
  onChange: (ids: string[]) => void
}
const RecipientCheckboxes = ({ people, chosen, error, onChange }: RecipientCheckboxesProps) => (
  <fieldset className="grid gap-1.5">
    <legend className="mb-1.5 text-body font-medium">Destinataires</legend>
    <div className="grid max-h-56 gap-3 overflow-y-auto rounded-control border border-line bg-card p-3">
      {people.map(({ id, name, email }) => (
        <Checkbox
          key={id}
          label={
            <>
              {name} <span className="text-ink-soft">· {email}</span>
            </>
          }
          checked={chosen.includes(id)}
          onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
        />
      ))}
    </div>
    {error && <p className="text-[0.8125rem] text-danger">{error}</p>}
  </fieldset>
)

type ScheduleRhythm = { month: number | null; day: number }
type ScheduleFieldsProps = RecipientCheckboxesProps &
  ScheduleRhythm & { yearly: boolean; onRhythm: (next: Partial<ScheduleRhythm>) => void }

/** When it leaves, and to whom. */
export const ScheduleFields = ({ yearly, month, day, onRhythm, ...boxes }: ScheduleFieldsProps) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      {yearly && (
        <FieldFrame id="schedule-month" label="Chaque année, en">
          <Select
            id="schedule-month"
            value={`${month}`}
            options={MONTH_NAMES.map((label, at) => ({ value: `${at + 1}`, label }))}
            onChange={({ target }) => onRhythm({ month: Number(target.value) })}
          />
        </FieldFrame>
      )}
      <FieldFrame id="schedule-day" label={yearly ? 'Jour' : 'Chaque mois'}>
        <Select
          id="schedule-day"
          value={`${day}`}
          options={DAY_OPTIONS}
          onChange={({ target }) => onRhythm({ day: Number(target.value) })}
        />
      </FieldFrame>
    </div>
    <RecipientCheckboxes {...boxes} />
  </>
)
