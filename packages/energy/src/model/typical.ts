import { dayStart } from '../calendar/calendar.ts'
import { loadWatts, type Profile, type Temperature } from './profiles.ts'
import { type Plant, pvWatts } from './pv.ts'
import { skyOf } from './weather.ts'

/** The year whose calendar a study borrows: 8 760 hours from local midnight of 1 January 2025. */
export const TYPICAL_YEAR = 2025
export const TYPICAL_STEPS = 8760
/** Of a hundred skies, the one whose months lie nearest to the mean of them all, from Lille to Marseille. */
const SKY = 41
const startsAt = () => dayStart(`${TYPICAL_YEAR}-01-01`)

/** Hourly mean watts of a plant under the usual weather of its place, over some hours of the year. */
export const typicalHours = (plant: Plant, from: number, hours: number): Int32Array =>
  pvWatts(plant, startsAt() + from * 60, hours, 60, skyOf(SKY, plant.place))
export const typicalYear = (plant: Plant): Int32Array => typicalHours(plant, 0, TYPICAL_STEPS)

/** Hourly mean watts of a consumer over the same year. */
export const typicalLoad = (profile: Profile, yearlyKwh: number, seed: string | number, temperature?: Temperature) =>
  loadWatts(profile, yearlyKwh, seed, startsAt(), TYPICAL_STEPS, 60, temperature)
