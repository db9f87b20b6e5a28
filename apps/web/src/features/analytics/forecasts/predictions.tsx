import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  type Forecast,
  type ForecastAccuracy,
  type ForecastDay,
  ForecastKind,
  ForecastRange,
  type ForecastSubject,
  forecasts,
} from '@voisol/contract/forecasts'
import { addDays, isDay } from '@voisol/energy/calendar'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { Suspense } from 'react'
import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../components/button.tsx'
import { Card, FactList } from '../../../components/card.tsx'
import { DateInput } from '../../../components/date-input.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { IconButton } from '../../../components/icon-button.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { formatDayRange } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { formatCount, formatDateTime, formatLongDate, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import {
  FORECAST_KIND_LABELS,
  FORECAST_SPAN_LABELS,
  formatForecastEnergy,
  formatSignedPercent,
  HORIZON_LABELS,
  isCoverageOff,
  isWorseThanPersistence,
} from './labels.ts'

const ForecastChart = lazy(async () => ({ default: (await import('./forecast-chart.tsx')).ForecastChart }))
const loadingSkeleton = <Skeleton className="h-96 w-full" />

const NoOperation = () => (
  <EmptyState
    title="Aucune opération en service"
    why="Les prévisions commencent avec la première opération en service qui compte une centrale."
    action={
      <ButtonLink variant="secondary" to="/acc-operations">
        Voir les opérations
      </ButtonLink>
    }
  />
)

/** Nothing was issued, ever or on that morning: it is never said afterwards. */
const NoForecast = ({ day }: { day: string | undefined }) =>
  day ? (
    <EmptyState
      title="Aucune prévision émise ce jour-là"
      why="Une prévision qui n’a pas été émise le jour même ne l’est pas après coup. Choisissez un autre jour."
      because="chosen-here"
    />
  ) : (
    <EmptyState
      title="Pas encore de prévision"
      why="La première est émise le matin qui suit les premiers relevés de production. Sous quinze jours de relevés, un modèle physique parle seul, et le dit."
      action={
        <ButtonLink variant="secondary" to="/acc-operations">
          Voir les opérations
        </ButtonLink>
      }
    />
  )

function ForecastView({ choice }: { choice: ForecastChoice }) {
  const { data, error, refetch } = useQuery({
    ...query(forecasts.get, { query: choice }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return loadingSkeleton
  if (!data.forecast) return <NoForecast day={choice.day} />
  return (
    <>
      <Card>
        <Suspense fallback={loadingSkeleton}>
          <ForecastChart said={data.forecast} />
        </Suspense>
      </Card>
      <ForecastDays said={data.forecast} />
      <ForecastAccuracyCard choice={choice} />
      <ForecastOrigin said={data.forecast} />
    </>
  )
}

/** What the coming days should bring, and how such words have done so far. */
export default function ForecastsPage() {
  const { data, error, refetch } = useQuery(query(forecasts.subjects, {}))
  const subjects = data?.items ?? []
  const { choice, choose, subject } = useForecastChoice(subjects)
  return (
    <>
      <PageHeader
        title="Prédictions"
        description="Ce que les prochains jours devraient donner, et ce que valaient les prévisions d’avant."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        {error && <ErrorState error={error} onRetry={refetch} />}
        {!data && !error && loadingSkeleton}
        {data && !subject && <NoOperation />}
        {subject && (
          <>
            <ForecastControls
              subjects={subjects}
              choice={choice}
              choose={choose}
              first={subject.firstDay}
              last={subject.lastDay}
              shown={choice.day ?? subject.lastDay}
            />
            <ForecastView choice={choice} />
          </>
        )}
      </div>
    </>
  )
}

const formatBand = ({ low, high }: ForecastDay) =>
  low === null || high === null ? '—' : `${formatForecastEnergy(low)} à ${formatForecastEnergy(high)}`

const columns: Column<ForecastDay & { id: string }>[] = [
  { header: 'Jour', cell: ({ day }) => formatLongDate(day) },
  { header: 'Prévu', align: 'end', cell: ({ middle }) => formatForecastEnergy(middle) },
  {
    header: 'Bande',
    align: 'end',
    cell: (day) => <span className="text-ink-soft">{formatBand(day)}</span>,
  },
  { header: 'Persistance', align: 'end', cell: ({ persistence }) => formatForecastEnergy(persistence) },
  {
    header: 'Mesuré',
    align: 'end',
    cell: ({ measured }) =>
      measured === null ? <span className="text-ink-soft">pas encore</span> : formatForecastEnergy(measured),
  },
]

/** Energy of each day; where its band comes from is said. */
function ForecastDays({ said }: { said: Forecast }) {
  const measured = said.days.every(({ band }) => band === 'measured')
  return (
    <Card title="Par jour">
      <div className="grid gap-3">
        <Table
          label="Énergie prévue par jour"
          rows={said.days.map((day) => ({ ...day, id: day.day }))}
          columns={columns}
        />
        <p className="prose-width text-body text-ink-soft">
          {measured
            ? 'La bande d’un jour vient des erreurs mesurées sur les jours passés, à la même échéance.'
            : 'Moins de 14 jours entiers sont mesurés à certaines échéances\u00a0: leur bande additionne alors celles de chaque pas, elle est plus large que 80\u00a0%.'}
        </p>
      </div>
    </Card>
  )
}

/** The licence asks for it wherever the data are shown. */
const Attribution = () => (
  <a className="text-link" href="https://open-meteo.com/" target="_blank" rel="noreferrer" lang="en">
    Weather data by Open-Meteo.com (CC BY 4.0)
  </a>
)

const RECIPE_LABELS: Record<Forecast['recipe'], string> = {
  appris: 'apprise des relevés',
  modèle: 'modèle physique seul, ramené aux relevés',
  profil: 'profil des jours semblables',
}

const describeRecipe = ({ recipe, version, learntDays }: Forecast) =>
  `Recette ${version}, ${RECIPE_LABELS[recipe]} (${formatCount(learntDays, 'jour')})`

/** With or without the announced weather, and what that costs. */
function describeWeather({ kind, weatherIssuedAt, weatherSteps, middle, weatherConnected }: Forecast): string {
  if (kind === 'consumption') return 'Sans objet\u00a0: une consommation suit le profil de ses jours.'
  if (weatherIssuedAt === null)
    return weatherConnected
      ? 'Aucune prévision météo de moins de 24\u00a0h n’était connue\u00a0: historique seul.'
      : 'Sans météo\u00a0: l’historique seul ne gagne que 0 à 11\u00a0% sur la persistance. Connectez un fournisseur météo.'
  const coverageNote =
    weatherSteps === middle.length ? '' : `, pour ${formatPercent(weatherSteps / middle.length, 0)} des pas`
  return `Avec la météo annoncée le ${formatDateTime(weatherIssuedAt)}${coverageNote}`
}

/** When it was issued, from what, and how. */
function ForecastOrigin({ said }: { said: Forecast }) {
  const facts = [
    {
      label: 'Émise',
      value: said.rebuilt
        ? `${formatDateTime(said.issuedAt)}, reconstituée pour la démonstration avec ce qui était connu ce jour-là`
        : formatDateTime(said.issuedAt),
    },
    { label: 'Relevés connus jusqu’au', value: said.knownUntil ? formatDateTime(said.knownUntil) : 'aucun' },
    { label: 'Météo', value: describeWeather(said) },
    { label: 'Recette', value: describeRecipe(said) },
    ...(said.silent > 0
      ? [{ label: 'Non comptés', value: `${formatCount(said.silent, 'compteur')} sans aucun relevé` }]
      : []),
  ]
  return (
    <Card title="D’où vient cette prévision">
      <div className="grid gap-3">
        <FactList facts={facts} />
        {said.weatherIssuedAt && (
          <p className="text-[0.8125rem] text-ink-soft">
            <Attribution />
          </p>
        )}
        {!said.weatherConnected && said.kind !== 'consumption' && (
          <p>
            <Link className="text-link" to="/admin/enterprise-connections">
              Connecter un fournisseur météo
            </Link>
          </p>
        )}
      </div>
    </Card>
  )
}

type Row = ForecastAccuracy & { id: string }

const NOT_MEASURED = <span className="text-ink-soft">pas encore mesuré</span>
/** Said once in a row; what would follow from it is a dash. */
const NO_VALUE = <span className="text-ink-soft">—</span>
const formatShare = (value: number | null) => (value === null ? NO_VALUE : `${formatNumber(value * 100, 2)}\u00a0%`)

/** A word beside the colour: red is not enough for everybody. */
const AlertValue = ({ children, word }: { children: string; word: string }) => (
  <span className="font-semibold text-danger">
    {children} <span className="font-normal">({word})</span>
  </span>
)

const accuracyColumns: Column<Row>[] = [
  { header: 'Échéance', cell: ({ horizon }) => <span className="whitespace-nowrap">{HORIZON_LABELS[horizon]}</span> },
  { header: 'Erreur (nMAE)', align: 'end', cell: ({ nMAE }) => (nMAE === null ? NOT_MEASURED : formatShare(nMAE)) },
  { header: 'Persistance', align: 'end', cell: ({ persistence }) => formatShare(persistence) },
  {
    header: 'Gain',
    align: 'end',
    cell: (row) => {
      if (row.skill === null) return NO_VALUE
      const text = formatSignedPercent(row.skill)
      return isWorseThanPersistence(row) ? <AlertValue word="moins bien que la persistance">{text}</AlertValue> : text
    },
  },
  { header: 'Biais', align: 'end', cell: ({ bias }) => (bias === null ? NO_VALUE : formatSignedPercent(bias)) },
  {
    header: 'Dans la bande',
    align: 'end',
    cell: (row) => {
      if (row.coverage === null) return NO_VALUE
      const text = formatPercent(row.coverage, 0)
      return isCoverageOff(row) ? <AlertValue word="hors de 70 à 90">{text}</AlertValue> : text
    },
  },
  {
    header: 'Bandes à deux bords',
    align: 'end',
    cell: ({ openCoverage }) => (openCoverage === null ? NO_VALUE : formatPercent(openCoverage, 0)),
  },
  { header: 'Pinball', align: 'end', cell: ({ pinball }) => formatShare(pinball) },
  { header: 'Jours mesurés', align: 'end', cell: ({ days }) => String(days) },
]

/** What the second share of the band counts. */
const OPEN_BAND_NOTES: Record<ForecastKind, string> = {
  production:
    '«\u00a0Bandes à deux bords\u00a0» laisse de côté celles qui n’ont pas de largeur. Les bords de la bande suivent ce que les deux dernières semaines ont manqué.',
  consumption: '«\u00a0Bandes à deux bords\u00a0» compte aussi la nuit.',
  surplus:
    '«\u00a0Bandes à deux bords\u00a0» laisse de côté celles qui commencent à zéro\u00a0: elles ne peuvent être manquées par le bas, et tiennent plus souvent qu’elles ne disent.',
}

/** What the figures are parts of. */
const describeScale = (kind: ForecastKind) =>
  kind === 'consumption' ? 'de la consommation mesurée' : 'de la puissance crête'

/** How past forecasts did, from what was issued, on the same steps as persistence. */
function ForecastAccuracyCard({ choice }: { choice: ForecastChoice }) {
  const { operationId, pointId, kind } = choice
  const { data, error, refetch } = useQuery(query(forecasts.accuracy, { query: { operationId, pointId, kind } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  const { from, to, least, items } = data
  const hasUnmeasuredHorizon = items.some(({ days }) => days < least)
  return (
    <Card title="Précision mesurée">
      <div className="grid gap-3">
        <Table
          label="Précision par échéance"
          rows={items.map((item) => ({ ...item, id: item.horizon }))}
          columns={accuracyColumns}
        />
        <p className="prose-width text-body text-ink-soft">
          Sur les jours {formatDayRange(from, addDays(to, -1))}, en parts {describeScale(kind)}. Chaque prévision est
          comparée, telle qu’elle fut émise, à ce que les compteurs ont mesuré&nbsp;; les pas manquants ou estimés sont
          laissés de côté, pour elle comme pour la persistance. Bande et pinball ne comptent que soleil levé.{' '}
          {OPEN_BAND_NOTES[kind]}{' '}
          {hasUnmeasuredHorizon && `Une échéance n’est dite mesurée qu’après ${formatCount(least, 'jour')}.`}
        </p>
      </div>
    </Card>
  )
}

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

function ForecastControls({ subjects, choice, choose, ...days }: Props) {
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

const SEARCH_PARAMS = { subject: 'sujet', kind: 'quoi', span: 'duree', day: 'jour' }

type ForecastChoice = {
  operationId: string
  pointId: string | undefined
  kind: ForecastKind
  span: ForecastRange
  day: string | undefined
}

/** What is looked at stands in the address: it can be kept and sent. */
function useForecastChoice(subjects: ForecastSubject[]) {
  const [search, setSearch] = useSearchParams()
  const subjectId = search.get(SEARCH_PARAMS.subject)
  const requestedSubject = subjects.find(
    ({ operationId, plants }) => operationId === subjectId || plants.some((one) => one.pointId === subjectId),
  )
  const operation = requestedSubject ?? subjects.find(({ lastDay }) => lastDay) ?? subjects[0]
  const plant = operation?.plants.find(({ pointId }) => pointId === subjectId)
  const kind = ForecastKind.safeParse(search.get(SEARCH_PARAMS.kind)).data ?? 'production'
  const day = search.get(SEARCH_PARAMS.day) ?? ''
  const choose = (name: keyof typeof SEARCH_PARAMS, value: string | undefined) =>
    setSearch(
      (old) => {
        if (value) old.set(SEARCH_PARAMS[name], value)
        else old.delete(SEARCH_PARAMS[name])
        return old
      },
      { preventScrollReset: true, replace: name === 'day' },
    )
  const choice: ForecastChoice = {
    operationId: operation?.operationId ?? '',
    pointId: plant?.pointId,
    // A plant consumes nothing.
    kind: plant ? 'production' : kind,
    span: ForecastRange.safeParse(search.get(SEARCH_PARAMS.span)).data ?? 'near',
    day: isDay(day) ? day : undefined,
  }
  return { choice, choose, subject: plant ?? operation }
}
