import { dayStart, listDays } from '@voisol/energy/calendar'
import { useMemo, useState } from 'react'
import { formatEnergy, formatPercent } from '../../lib/format.ts'
import { Card } from '../card.tsx'
import { CurveExplorer } from '../curve-explorer/curve-explorer.tsx'
import { PeriodBars } from '../curve-explorer/period-bars.tsx'
import { FlowDiagram } from '../flow/flow.tsx'
import { HeatMap } from '../heat-map/heat-map.tsx'
import { FranceMap } from '../map/france-map.tsx'
import { PerimeterMap } from '../map/perimeter-map.tsx'
import { DayMatrix } from '../matrix/matrix.tsx'
import { PeriodBar } from '../period/period-bar.tsx'
import { usePeriod } from '../period/use-period.ts'
import { Headline } from '../stack/headline.tsx'
import { toGridPart, toLocalPart } from '../stack/parts.ts'
import {
  buildSampleCurves,
  buildSampleMatrixRows,
  sampleFlow,
  sampleHeat,
  sampleMonthBars,
  samplePerimeter,
  samplePins,
} from './energy-examples.ts'

const START = '2026-06-08'
const week = buildSampleCurves(dayStart(START), 7 * 96)
const year = buildSampleCurves(dayStart('2026-01-01'), 365 * 96).filter((one) => !one.compared)
const MONTHS = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-01`)
const DAYS = listDays('2026-06-01', '2026-07-01')

const PeriodSample = () => {
  const [period, setPeriod] = usePeriod('week')
  return <PeriodBar period={period} onChange={setPeriod} />
}

const MatrixSample = () => {
  const rows = useMemo(() => buildSampleMatrixRows(1000, DAYS.length), [])
  const [chosen, setChosen] = useState('Choisissez une journée.')
  return (
    <Card title="Complétude (exemple)" description={chosen}>
      <DayMatrix
        title="Complétude de 1 000 points (exemple)"
        rows={rows}
        days={DAYS}
        onSelect={({ row, day }) => setChosen(`${row.label}, ${day}`)}
      />
    </Card>
  )
}

export const EnergySamples = () => (
  <div className="grid gap-5 [&>*]:min-w-0">
    <PeriodSample />
    <Headline
      label="Part locale (exemple)"
      figure={formatPercent(0.42, 0)}
      sentence="Exemple de phrase&nbsp;: 42 % de l’électricité a été locale en juin."
      parts={[toLocalPart(420_000), toGridPart(580_000)]}
    />
    <Card>
      <CurveExplorer title="Une semaine (exemple)" series={week} startsAt={dayStart(START)} step={15} />
    </Card>
    <Card>
      <CurveExplorer
        title="Une année au pas de 15 minutes (exemple)"
        series={year}
        startsAt={dayStart('2026-01-01')}
        step={15}
        label="année 2026"
        knownUntil={dayStart('2026-12-31')}
      />
    </Card>
    <Card>
      <PeriodBars
        title="Les mois d’une année (exemple)"
        series={sampleMonthBars}
        starts={MONTHS.map(dayStart)}
        each="month"
        label="année 2026"
        onOpen={() => undefined}
      />
    </Card>
    <Card>
      <FlowDiagram title="Qui a reçu quoi (exemple)" data={sampleFlow} />
    </Card>
    <Card>
      <HeatMap title="Production, heure par jour (exemple)" data={sampleHeat} format={formatEnergy} />
    </Card>
    <MatrixSample />
    <Card>
      <PerimeterMap title="Périmètre (exemple)" points={samplePerimeter} limitKm={2} />
    </Card>
    <Card title="Carte des projets (exemple)">
      <FranceMap title="Projets" pins={samplePins.map((pin) => ({ ...pin, link: pin.label }))} />
    </Card>
  </div>
)
