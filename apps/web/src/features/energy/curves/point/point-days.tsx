import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { curves } from '@voisol/contract/curves'
import { withDe } from '@voisol/contract/elision'
import type { Point } from '@voisol/contract/points'
import { isDay, listDays } from '@voisol/energy/calendar'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { Card } from '../../../../components/card.tsx'
import { ErrorState } from '../../../../components/error-state.tsx'
import { Skeleton } from '../../../../components/loading.tsx'
import { DayMatrix } from '../../../../components/matrix/matrix.tsx'
import type { Period } from '../../../../components/period/period.ts'
import { formatPointName } from '../../../../lib/energy-labels.ts'
import { query } from '../../../../lib/queries.ts'
import { DayDialog, type SelectedDay } from '../day/day-dialog.tsx'

type Props = { point: Point; operationId: string; period: Period }

/** The open day is in the address: it can be sent to somebody, and « back » closes it. */
const DAY_PARAM = 'jour'

/** Day by day what was received of this point; a day opens on its versions. */
export default function PointDays({ point, operationId, period: { from, to } }: Props) {
  const { data, error, refetch } = useQuery({
    ...query(curves.matrix, { query: { operationId, from, to } }),
    placeholderData: keepPreviousData,
  })
  const [search, setSearch] = useSearchParams()
  const requestedDay = search.get(DAY_PARAM)
  const name = formatPointName(point)
  const chosen: SelectedDay | null =
    requestedDay !== null && isDay(requestedDay) ? { pointId: point.id, name, day: requestedDay } : null
  const open = (day: string | null) =>
    setSearch(
      (old) => {
        if (day === null) old.delete(DAY_PARAM)
        else old.set(DAY_PARAM, day)
        return old
      },
      { replace: day === null, preventScrollReset: true },
    )
  const rows = useMemo(
    () => data?.rows.filter(({ id }) => id === point.id).map((row) => ({ ...row, label: name })),
    [data, point.id, name],
  )
  const days = useMemo(() => (data ? listDays(data.from, data.to) : []), [data])
  return (
    <Card title="Journées et versions" description="Choisissez une journée pour voir tout ce qui a été reçu pour elle.">
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!rows && !error && <Skeleton className="h-24 w-full" />}
      {rows &&
        (rows.length > 0 ? (
          <DayMatrix title={`Journées ${withDe(name)}`} rows={rows} days={days} onSelect={({ day }) => open(day)} />
        ) : (
          <p className="text-body text-ink-soft">Ce point ne participait pas à l’opération pendant ces jours.</p>
        ))}
      <DayDialog chosen={chosen} onClose={() => open(null)} />
    </Card>
  )
}
