import { Checkbox } from '../../ui/checkbox.tsx'
import { FieldFrame } from '../../ui/field-frame.tsx'
import { Select } from '../../ui/select.tsx'
import { MONTH_NAMES } from './months.ts'

const DAYS = Array.from({ length: 28 }, (_, at) => ({ value: `${at + 1}`, label: `le ${at === 0 ? '1er' : at + 1}` }))

type People = { id: string; name: string; email: string }[]
type Boxes = { people: People; chosen: string[]; error: string | undefined; onChange: (ids: string[]) => void }
const PeopleBoxes = ({ people, chosen, error, onChange }: Boxes) => (
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

type Rhythm = { month: number | null; day: number }
type Fields = Boxes & Rhythm & { yearly: boolean; onRhythm: (next: Partial<Rhythm>) => void }

/** When it leaves, and to whom. */
export const ScheduleFields = ({ yearly, month, day, onRhythm, ...boxes }: Fields) => (
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
          options={DAYS}
          onChange={({ target }) => onRhythm({ day: Number(target.value) })}
        />
      </FieldFrame>
    </div>
    <PeopleBoxes {...boxes} />
  </>
)
