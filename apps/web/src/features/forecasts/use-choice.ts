import { ForecastKind, ForecastRange, type ForecastSubject } from '@voisol/contract/forecasts'
import { isDay } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'

const SEARCH_PARAMS = { subject: 'sujet', kind: 'quoi', span: 'duree', day: 'jour' }

export type ForecastChoice = {
  operationId: string
  pointId: string | undefined
  kind: ForecastKind
  span: ForecastRange
  day: string | undefined
}

/** What is looked at stands in the address: it can be kept and sent. */
export function useForecastChoice(subjects: ForecastSubject[]) {
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
