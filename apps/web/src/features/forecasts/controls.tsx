import { type ForecastSubject, forecasts } from '@voisol/contract/forecasts'
import { addDays } from '@voisol/energy/calendar'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { DateInput } from '../../ui/date-input.tsx'
import { ExportMenu } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Select } from '../../ui/select.tsx'
import type { ForecastChoice, useForecastChoice } from './use-choice.ts'
import { FORECAST_KIND_LABELS, FORECAST_SPAN_LABELS } from './words.ts'

type Props = {
  subjects: ForecastSubject[]
  choice: ForecastChoice
  choose: ReturnType<typeof useForecastChoice>['choose']
  /** Days between which something was issued, and the one that is shown. */
  first: string | null
  last: string | null
  shown: string | null
}

const toOptions = (labels: Record<string, string>) => Object.entries(labels).map(([value, label]) => ({ value, label }))

function SubjectSelect({ subjects, choice, choose }: Pick<Props, 'subjects' | 'choice' | 'choose'>) {
  return (
    <Select
      aria-label="Opération ou centrale"
      className="sm:w-96"
      value={choice.pointId ?? choice.operationId}
      onChange={(event) => choose('subject', event.target.value)}
    >
      {subjects.map(({ operationId, name, plants }) => (
        <optgroup key={operationId} label={name}>
          <option value={operationId}>{name}, toute l’opération</option>
          {plants.map((plant) => (
            <option key={plant.pointId} value={plant.pointId}>
              {plant.name}
            </option>
          ))}
        </optgroup>
      ))}
    </Select>
  )
}

/** The morning on which it was issued: any past one can be played again. */
function IssueDayPicker({ choose, first, last, shown }: Pick<Props, 'choose' | 'first' | 'last' | 'shown'>) {
  if (!first || !last || !shown) return null
  const chooseDay = (day: string) => choose('day', day >= last ? undefined : day < first ? first : day)
  return (
    <div className="flex items-center gap-1">
      <IconButton
        label="Prévision de la veille"
        disabled={shown <= first}
        icon={<ChevronLeft aria-hidden="true" className="size-4" />}
        onClick={() => chooseDay(addDays(shown, -1))}
      />
      <DateInput
        aria-label="Émise le"
        className="w-40"
        value={shown}
        min={first}
        max={last}
        onValue={(day) => /^\d{4}-\d{2}-\d{2}$/.test(day) && chooseDay(day)}
      />
      <IconButton
        label="Prévision du lendemain"
        disabled={shown >= last}
        icon={<ChevronRight aria-hidden="true" className="size-4" />}
        onClick={() => chooseDay(addDays(shown, 1))}
      />
    </div>
  )
}

export function ForecastControls({ subjects, choice, choose, ...days }: Props) {
  const { operationId, pointId, kind, span, day } = choice
  return (
    <div data-print="hide" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <SubjectSelect subjects={subjects} choice={choice} choose={choose} />
        <IssueDayPicker choose={choose} {...days} />
        <span className="sm:ml-auto">
          <ExportMenu
            endpoint={forecasts.export}
            formats={{ csv: 'CSV pour Excel' }}
            input={() => ({ query: { operationId, pointId, kind, span, day } })}
          />
        </span>
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-3">
        {!pointId && (
          <FilterChips
            label="Ce qui est prévu"
            options={toOptions(FORECAST_KIND_LABELS)}
            value={kind}
            onChange={(next) => choose('kind', next)}
          />
        )}
        <FilterChips
          label="Durée"
          options={toOptions(FORECAST_SPAN_LABELS)}
          value={span}
          onChange={(next) => choose('span', next ?? span)}
        />
      </div>
    </div>
  )
}
