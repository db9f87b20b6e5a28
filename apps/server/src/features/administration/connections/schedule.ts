import type { Schedule } from '@voisol/contract/connections'

const HOUR_MS = 3_600_000
const PARIS = 'Europe/Paris'
/** At night, after the backups of the installation. */
const NIGHT_HOUR = 3

/** Spreads the runs of all companies over the hour: each connection has its own minute. */
const getMinuteOfHour = (id: string) => Number.parseInt(id.slice(0, 4), 16) % 60

function findNextNight(id: string, now: Date, suits: (day: Temporal.PlainDate) => boolean): Date {
  const here = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(PARIS)
  const time = { hour: NIGHT_HOUR, minute: getMinuteOfHour(id) }
  for (let day = here.toPlainDate(); ; day = day.add({ days: 1 })) {
    const at = day.toZonedDateTime({ timeZone: PARIS, plainTime: Temporal.PlainTime.from(time) })
    if (suits(day) && at.epochMilliseconds > now.getTime()) return new Date(at.epochMilliseconds)
  }
}

/** Time of the next scheduled run; undefined when the connection runs on demand. */
export function getNextConnectionRun(schedule: Schedule, id: string, now: Date): Date | null {
  if (schedule === 'none') return null
  if (schedule === 'six-hours') {
    const slot = 6 * HOUR_MS
    return new Date((Math.floor(now.getTime() / slot) + 1) * slot + getMinuteOfHour(id) * 60_000)
  }
  if (schedule === 'night') return findNextNight(id, now, () => true)
  if (schedule === 'week') return findNextNight(id, now, ({ dayOfWeek }) => dayOfWeek === 1)
  return findNextNight(id, now, ({ day }) => day === 1)
}
