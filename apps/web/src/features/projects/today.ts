import { dayOf } from '@voisol/energy/calendar'

/** The local day in Paris. */
export const getTodayInParis = () => dayOf(Math.floor(Date.now() / 60_000))
