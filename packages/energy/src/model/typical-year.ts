import { dayStart } from '../calendar/calendar.ts'
import { type ConsumptionProfile, computeLoadWatts, type TemperatureAt } from './profiles.ts'
import { computePvWatts, type PvPlant } from './pv.ts'
import { createSky } from './weather.ts'

/** The year whose calendar a study uses: 8 760 hours from local midnight of 1 January 2025. */
export const TYPICAL_YEAR = 2025
export const TYPICAL_STEPS = 8760
/** Of a hundred random skies, the one whose months are closest to their mean, from Lille to Marseille. */
const TYPICAL_SKY_SEED = 41
const getTypicalYearStart = () => dayStart(`${TYPICAL_YEAR}-01-01`)

/** Hourly mean watts of a plant under the usual weather of its place, over some hours of the year. */
export const computeTypicalHours = (plant: PvPlant, from: number, hours: number): Int32Array =>
  computePvWatts(plant, getTypicalYearStart() + from * 60, hours, 60, createSky(TYPICAL_SKY_SEED, plant.place))
export const computeTypicalYear = (plant: PvPlant): Int32Array => computeTypicalHours(plant, 0, TYPICAL_STEPS)

/** Hourly mean watts of a consumer over the same year. */
export const computeTypicalLoad = (
  profile: ConsumptionProfile,
  yearlyKwh: number,
  seed: string | number,
  temperature?: TemperatureAt,
) => computeLoadWatts(profile, yearlyKwh, seed, getTypicalYearStart(), TYPICAL_STEPS, 60, temperature)
