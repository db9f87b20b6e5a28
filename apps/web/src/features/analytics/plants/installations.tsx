import { PageHeader } from '../../../components/page-header.tsx'
import { usePeriod } from '../../../components/period/period.ts'
import { PeriodBar } from '../../../components/period/period-bar.tsx'
import PlantEconomies from '../../../components/plant-economy/plant-economy.tsx'

/** What the plants bring and cost, for those who own or finance them and see nothing else. */
export default function Installations() {
  const [period, setPeriod] = usePeriod('year')
  const { from, to } = period
  return (
    <>
      <PageHeader
        title="Économie des installations"
        description="Ce que chaque centrale a vendu, ce qu’elle a coûté, et son rendement à côté de celui de l’étude."
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        <PeriodBar period={period} onChange={setPeriod} />
        <PlantEconomies where={{ from, to }} />
      </div>
    </>
  )
}
