import { type ProjectDetail, projects, type Study } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS } from '@voisol/energy/model/profiles'
import Calculator from 'lucide-react/icons/calculator'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useId } from 'react'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { BarPattern } from '../../../components/chart/bars.tsx'
import { ChartFrame } from '../../../components/chart/chart-frame.tsx'
import { Swatch } from '../../../components/chart/legend.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { toGridPart, toLocalPart, toSurplusPart } from '../../../components/stack/energy-parts.ts'
import { Headline, ShareBar } from '../../../components/stack/share-bar.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { useWidth } from '../../../components/use-width.ts'
import { Can, useCan, withAccess } from '../../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../../lib/energy-labels.ts'
import {
  formatCount,
  formatDateTime,
  formatEnergy,
  formatKwh,
  formatMoney,
  formatNumber,
  formatPercent,
} from '../../../lib/format.ts'
import { toast } from '../../../lib/toast.ts'
import { formatYears, SEASON_LABELS } from './labels.ts'
import { buildStairArea, buildStairLine, roundUpForAxis, StudyMonths } from './season-chart.tsx'
import { createFailureHandler, useStudyProject } from './use-project.tsx'

type Props = { project: ProjectDetail }

const RunStudyButton = withAccess(projects.study, ({ project, again }: Props & { again: boolean }) => {
  const study = useStudyProject()
  const run = () =>
    study
      .run({ params: { id: project.id } })
      .then(() => toast({ title: 'Étude terminée', variant: 'success' }))
      .catch(createFailureHandler('Étude impossible'))
  return (
    <Button
      variant={again && !project.studyStale ? 'secondary' : 'primary'}
      icon={<Calculator aria-hidden="true" />}
      loading={study.isPending}
      onClick={run}
    >
      {study.isPending ? 'Calcul d’une année, heure par heure…' : again ? 'Refaire l’étude' : 'Lancer l’étude'}
    </Button>
  )
})

/** What is still missing before there is anything to reckon. */
function NoStudy({ project }: Props) {
  const missingTab = project.roofs.length ? 'candidats' : 'toitures'
  const ready = project.roofs.length > 0 && project.candidates.length > 0
  const why = ready
    ? 'Le bilan d’une année type est calculé heure par heure, à partir du soleil du lieu et des profils des candidats.'
    : 'L’étude met en regard la production des toitures et la consommation des candidats. Il faut au moins une toiture et un candidat.'
  return (
    <EmptyState
      title="Pas encore d’étude"
      why={why}
      action={
        ready ? (
          <RunStudyButton project={project} again={false} />
        ) : (
          <Can call={projects.update}>
            <ButtonLink to={`?onglet=${missingTab}`}>
              {missingTab === 'toitures' ? 'Ajouter des toitures' : 'Ajouter des candidats'}
            </ButtonLink>
          </Can>
        )
      }
    />
  )
}

function StaleNotice() {
  const canRun = useCan()(projects.study)
  return (
    <p role="status" className="flex items-start gap-2 rounded-card bg-warning-soft p-4 text-body text-warning">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      Le projet a changé depuis cette étude
      {canRun ? '. Refaites-la pour mettre les chiffres à jour.' : '\u00a0: ses chiffres sont ceux d’avant.'}
    </p>
  )
}

export default function StudyTab({ project }: Props) {
  const { study, studiedAt } = project
  if (!study) return <NoStudy project={project} />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {project.studyStale && <StaleNotice />}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="prose-width text-body text-ink-soft">
          Année type calculée heure par heure, clé «&nbsp;{ALLOCATION_METHOD_LABELS[project.method].label}&nbsp;»
          {studiedAt && `, étude du ${formatDateTime(studiedAt)}`}. Ce sont des estimations, hors taxes.
        </p>
        <RunStudyButton project={project} again />
      </div>
      <StudyFigures study={study} candidates={study.participants.length} />
      <Card>
        <StudyMonths study={study} />
      </Card>
      <Card>
        <SeasonDays study={study} />
      </Card>
      <StudyParticipants study={study} />
    </div>
  )
}

/** The study in two sentences. */
function describeStudy({ produced, allocated, selfProduction }: Study, candidates: number) {
  const share = selfProduction === null ? '' : `, soit ${formatPercent(selfProduction, 0)} de leur consommation`
  return `Les toitures produiraient ${formatEnergy(produced)} par an. ${formatEnergy(allocated)} seraient consommés sur place par ${formatCount(candidates, 'candidat')}${share}.`
}

/** Cents without their hundredths: a study does not know them. */
const formatWholeEuros = (cents: number) => formatMoney(Math.round(cents / 100) * 100).replace(',00', '')

const StudyFigures = ({ study, candidates }: { study: Study; candidates: number }) => (
  <>
    <Headline
      label="Autoconsommation"
      figure={study.selfConsumption === null ? '—' : formatPercent(study.selfConsumption, 0)}
      sentence={describeStudy(study, candidates)}
      parts={[toLocalPart(study.allocated), toSurplusPart(study.surplus)]}
    />
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <KpiTile label="Investissement" figure={formatWholeEuros(study.investmentCents)} note="Toutes les toitures" />
      <KpiTile
        label="Recettes par an"
        figure={formatWholeEuros(study.incomeCents)}
        note="Énergie locale et surplus vendus"
      />
      <KpiTile
        label="Économies par an"
        figure={formatWholeEuros(study.savingsCents)}
        note="Pour l’ensemble des candidats"
      />
      <KpiTile
        label="Temps de retour"
        figure={study.payback === null ? 'Jamais' : formatYears(study.payback)}
        note={study.payback === null ? 'Les charges dépassent les recettes' : 'Recettes moins charges annuelles'}
      />
    </div>
  </>
)

type ParticipantRow = Study['participants'][number] & { id: string }

const columns: Column<ParticipantRow>[] = [
  {
    header: 'Candidat',
    cell: ({ name, profile, measured }) => (
      <span className="block min-w-44">
        <span className="block font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {measured ? 'Courbe reçue sur douze mois' : CONSUMPTION_PROFILE_LABELS[profile]}
        </span>
      </span>
    ),
  },
  {
    header: 'Consommation',
    align: 'end',
    cell: ({ consumed }) => <span className="whitespace-nowrap">{formatKwh(consumed / 1000, 0)}</span>,
  },
  {
    header: 'Énergie locale',
    align: 'end',
    cell: ({ allocated }) => <span className="whitespace-nowrap">{formatKwh(allocated / 1000, 0)}</span>,
  },
  {
    header: 'Couverture',
    cell: ({ allocated, consumed, coverage }) => (
      <span className="flex min-w-36 items-center gap-2">
        <ShareBar parts={[toLocalPart(allocated), toGridPart(consumed - allocated)]} className="h-2.5" />
        <span className="tabular w-12 shrink-0 text-right">{coverage === null ? '—' : formatPercent(coverage, 0)}</span>
      </span>
    ),
  },
  {
    header: 'Économie par an',
    align: 'end',
    cell: ({ savingsCents }) => <span className="whitespace-nowrap">{formatMoney(savingsCents)}</span>,
  },
]

const StudyParticipants = ({ study }: { study: Study }) => (
  <Card title="Candidat par candidat" description="Ce que chacun recevrait et épargnerait sur une année type.">
    <Table
      label="Étude par candidat"
      rows={study.participants.map((line, at) => ({ ...line, id: String(at) }))}
      columns={columns}
    />
  </Card>
)

type Day = Study['days'][number]
const HEIGHT = 150
const LEFT = 40
const BOTTOM = 22
const TOP = 8
const ZEROS = Array<number>(24).fill(0)

const Axis = ({ width, highest }: { width: number; highest: number }) => (
  <g fill="#475569" className="tabular text-[11px]">
    {[0, 0.5, 1].map((part) => (
      <g key={part} transform={`translate(0 ${TOP + (1 - part) * HEIGHT})`}>
        <line x1={LEFT} x2={width} stroke={part === 0 ? '#64748B' : '#EEF2F6'} />
        <text x={LEFT - 6} dy="0.32em" textAnchor="end">
          {formatNumber((highest * part) / 1000)}
        </text>
      </g>
    ))}
    {[0, 6, 12, 18].map((hour) => (
      <text
        key={hour}
        x={LEFT + (hour / 24) * (width - LEFT)}
        y={TOP + HEIGHT + 16}
        textAnchor={hour ? 'middle' : 'start'}
      >
        {hour}&nbsp;h
      </text>
    ))}
  </g>
)

function SeasonPanel({ day, highest }: { day: Day; highest: number }) {
  const [ref, width] = useWidth<HTMLDivElement>(280)
  const id = useId()
  const box = { width: width - LEFT, height: HEIGHT }
  const share = sumValues(day.consumed) > 0 ? sumValues(day.allocated) / sumValues(day.consumed) : null
  return (
    <div className="min-w-0">
      <p className="mb-1 text-body">
        <span className="font-medium">{SEASON_LABELS[day.season]}</span>
        {share !== null && <span className="tabular text-ink-soft"> · {formatPercent(share, 0)} d’énergie locale</span>}
      </p>
      <div ref={ref}>
        <svg aria-hidden="true" width={width} height={TOP + HEIGHT + BOTTOM} className="block max-w-full">
          <defs>
            <BarPattern id={`${id}-surplus`} series={{ label: '', color: 'var(--data-surplus)', pattern: 'dotted' }} />
          </defs>
          <Axis width={width} highest={highest} />
          <g transform={`translate(${LEFT} ${TOP})`}>
            <path
              d={buildStairArea(day.allocated, day.produced, highest, box)}
              fill={`url(#${id}-surplus)`}
              opacity="0.75"
            />
            <path d={buildStairArea(ZEROS, day.allocated, highest, box)} fill="var(--data-local)" />
            <path
              d={buildStairLine(day.consumed, highest, box)}
              fill="none"
              stroke="var(--data-consumption)"
              strokeWidth="2"
              strokeLinejoin="round"
            />
          </g>
        </svg>
      </div>
    </div>
  )
}

const Legend = () => (
  <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
    <span className="inline-flex items-center gap-1.5">
      <Swatch kind="stacked" color="var(--data-local)" /> Énergie locale consommée
    </span>
    <span className="inline-flex items-center gap-1.5">
      <Swatch kind="stacked" color="var(--data-surplus)" pattern="dotted" /> Surplus
    </span>
    <span className="inline-flex items-center gap-1.5">
      <Swatch kind="line" color="var(--data-consumption)" /> Consommation
    </span>
    <span className="sm:ml-auto">Moyenne en kW</span>
  </div>
)

/** The usual day of each season on one scale, side by side. */
function SeasonDays({ study: { days } }: { study: Study }) {
  const highest = roundUpForAxis(Math.max(...days.flatMap(({ produced, consumed }) => [...produced, ...consumed])))
  return (
    <ChartFrame
      title="Une journée type par saison"
      summary={describeSeasonDays(days)}
      drawing={
        <div className="grid gap-4 [&>*]:min-w-0">
          <Legend />
          <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 2xl:grid-cols-4">
            {days.map((day) => (
              <SeasonPanel key={day.season} day={day} highest={highest} />
            ))}
          </div>
        </div>
      }
      table={<Table label="Une journée type par saison" rows={HOUR_ROWS} columns={buildSeasonColumns(days)} />}
    />
  )
}

const sumValues = (values: number[]) => values.reduce((total, value) => total + value, 0)
const HOUR_ROWS = Array.from({ length: 24 }, (_, hour) => ({ id: String(hour), hour }))

type HourRow = { id: string; hour: number }
const buildSeasonColumns = (days: Day[]): Column<HourRow>[] => [
  { header: 'Heure', cell: ({ hour }) => `${hour}\u00a0h` },
  ...days.flatMap((day): Column<HourRow>[] => [
    {
      header: `${SEASON_LABELS[day.season]}, consommation`,
      align: 'end',
      cell: ({ hour }) => formatEnergy(day.consumed[hour] ?? 0),
    },
    {
      header: `${SEASON_LABELS[day.season]}, locale`,
      align: 'end',
      cell: ({ hour }) => formatEnergy(day.allocated[hour] ?? 0),
    },
    {
      header: `${SEASON_LABELS[day.season]}, surplus`,
      align: 'end',
      cell: ({ hour }) => formatEnergy((day.produced[hour] ?? 0) - (day.allocated[hour] ?? 0)),
    },
  ]),
]

/** Summer against winter, in a sentence. */
function describeSeasonDays(days: Day[]) {
  const findDay = (season: Day['season']) => days.find((day) => day.season === season)
  const [summer, winter] = [findDay('summer'), findDay('winter')]
  if (!summer || !winter) return ''
  const describeDay = (day: Day) =>
    `${formatEnergy(sumValues(day.allocated))} sur ${formatEnergy(sumValues(day.consumed))}`
  return `Un jour d’été, l’énergie locale apporterait ${describeDay(summer)}\u00a0; un jour d’hiver, ${describeDay(winter)}.`
}
