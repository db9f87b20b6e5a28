import { ForecastKind, ForecastSpan, type ForecastSubject } from '@voisol/contract/forecasts'
import { isDay } from '@voisol/energy/calendar'
import { useSearchParams } from 'react-router'

const NAMES = { subject: 'sujet', kind: 'quoi', span: 'duree', day: 'jour' }

export type Choice = {
  operationId: string
  pointId: string | undefined
  kind: ForecastKind
  span: ForecastSpan
  day: string | undefined
}

/** What is looked at stands in the address: it can be kept and sent. */
export function useChoice(subjects: ForecastSubject[]) {
  const [search, setSearch] = useSearchParams()
  const asked = search.get(NAMES.subject)
  const own = subjects.find(
    ({ operationId, plants }) => operationId === asked || plants.some((one) => one.pointId === asked),
  )
  const operation = own ?? subjects.find(({ lastDay }) => lastDay) ?? subjects[0]
  const plant = operation?.plants.find(({ pointId }) => pointId === asked)
  const kind = ForecastKind.safeParse(search.get(NAMES.kind)).data ?? 'production'
  const day = search.get(NAMES.day) ?? ''
  const choose = (name: keyof typeof NAMES, value: string | undefined) =>
    setSearch(
      (old) => {
        if (value) old.set(NAMES[name], value)
        else old.delete(NAMES[name])
        return old
      },
      { preventScrollReset: true, replace: name === 'day' },
    )
  const choice: Choice = {
    operationId: operation?.operationId ?? '',
    pointId: plant?.pointId,
    // A plant consumes nothing.
    kind: plant ? 'production' : kind,
    span: ForecastSpan.safeParse(search.get(NAMES.span)).data ?? 'near',
    day: isDay(day) ? day : undefined,
  }
  return { choice, choose, subject: plant ?? operation }
}
