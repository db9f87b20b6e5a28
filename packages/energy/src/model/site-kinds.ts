/** Activity over the day: times of the wall clock, each with a percentage of the usual full use, joined by straight lines. */
export type ActivityCurve = string

export type SiteKind = {
  /** Drawn day and night, as a part of full use. */
  base: number
  work: ActivityCurve
  /** Where it differs from a working day; closed when absent. */
  monday?: ActivityCurve
  wednesday?: ActivityCurve
  saturday?: ActivityCurve
  sunday?: ActivityCurve
  /** Level of activity on a public holiday and during the school holidays. */
  holiday: number
  vacation: number
  /** Weeks without activity: three in August and the last of the year. */
  closes: boolean
  /** Added per degree below 15 °C and above 22 °C while open, and for a third of it at night. */
  heat: number
  cool: number
  /** Where cooling begins, if not at 22 °C. */
  coolsAbove?: number
  /** Added while it is dark. */
  light: number
  /** How much one quarter hour differs from the next, and how much opening hours differ between sites, in minutes. */
  grain: number
  shift: number
  /** A compressor that switches on and off. */
  cycle?: { minutes: number; level: number }
}

export const OFFICE: SiteKind = {
  base: 0.24,
  work: '5:30 0, 6:00 12, 7:30 20, 9:10 92, 11:50 100, 12:50 80, 14:10 100, 17:00 92, 19:00 30, 20:30 5, 21:00 0',
  saturday: '9:00 0, 10:00 8, 16:00 8, 17:00 0',
  holiday: 0,
  vacation: 0.78,
  closes: false,
  heat: 0.022,
  cool: 0.035,
  light: 0,
  grain: 0.03,
  shift: 25,
}

export const SHOP: SiteKind = {
  base: 0.3,
  work: '7:30 0, 8:30 45, 9:20 90, 12:00 100, 13:30 94, 18:30 100, 19:35 85, 20:00 15, 20:25 0',
  monday: '12:30 0, 13:50 85, 18:30 95, 19:35 85, 20:10 0',
  saturday: '7:30 0, 8:30 50, 9:20 95, 12:00 108, 18:30 108, 19:35 90, 20:20 0',
  holiday: 0.05,
  vacation: 0.97,
  closes: false,
  heat: 0.012,
  cool: 0.03,
  light: 0.06,
  grain: 0.035,
  shift: 30,
}

export const SCHOOL: SiteKind = {
  base: 0.08,
  work: '6:20 0, 7:20 35, 8:30 75, 10:20 95, 11:30 120, 13:00 110, 14:00 75, 16:30 65, 17:30 35, 18:50 20, 19:30 0',
  wednesday: '6:20 0, 7:20 35, 8:30 72, 11:30 80, 12:30 40, 17:00 20, 18:30 0',
  holiday: 0,
  vacation: 0.02,
  closes: false,
  heat: 0.02,
  cool: 0,
  light: 0.03,
  grain: 0.045,
  shift: 15,
}

export const WORKSHOP: SiteKind = {
  base: 0.14,
  work: '4:25 0, 5:05 90, 8:55 100, 9:05 60, 9:25 98, 12:40 100, 13:00 68, 13:20 100, 16:55 97, 17:05 58, 17:25 95, 20:35 85, 21:05 0',
  saturday: '5:00 0, 6:00 22, 11:30 22, 12:30 0',
  holiday: 0,
  vacation: 0.95,
  closes: true,
  heat: 0.006,
  cool: 0.006,
  light: 0.03,
  grain: 0.06,
  shift: 12,
}

export const COLD_STORE: SiteKind = {
  base: 0.55,
  work: '4:00 0, 6:00 30, 9:00 34, 16:00 36, 19:00 12, 21:00 0',
  saturday: '5:00 0, 7:00 20, 12:00 20, 14:00 0',
  holiday: 0.1,
  vacation: 1,
  closes: false,
  heat: 0,
  cool: 0.012,
  coolsAbove: 5,
  light: 0,
  grain: 0.05,
  shift: 40,
  cycle: { minutes: 55, level: 0.22 },
}

const LIFT_ACTIVITY: ActivityCurve =
  '5:30 0, 7:50 34, 9:10 16, 12:10 24, 14:00 16, 17:00 28, 18:50 40, 20:30 24, 23:30 5, 24:00 3'

export const COMMON_PARTS: SiteKind = {
  base: 0.5,
  work: LIFT_ACTIVITY,
  saturday: LIFT_ACTIVITY,
  sunday: LIFT_ACTIVITY,
  holiday: 1,
  vacation: 0.85,
  closes: false,
  heat: 0.004,
  cool: 0,
  light: 0.3,
  grain: 0.06,
  shift: 25,
}

const OVEN_ACTIVITY: ActivityCurve =
  '1:50 0, 2:30 75, 3:30 100, 6:30 100, 8:00 60, 11:00 50, 12:50 30, 15:30 42, 18:00 36, 19:35 20, 20:10 0'

export const BAKERY: SiteKind = {
  base: 0.16,
  work: OVEN_ACTIVITY,
  monday: '',
  saturday: OVEN_ACTIVITY,
  sunday: '1:50 0, 2:30 80, 3:30 110, 7:00 105, 9:00 55, 12:30 40, 13:20 0',
  holiday: 0.8,
  vacation: 0.9,
  closes: true,
  heat: 0,
  cool: 0.012,
  light: 0.03,
  grain: 0.07,
  shift: 30,
}

const RESTAURANT_ACTIVITY: ActivityCurve =
  '8:30 0, 10:00 40, 11:40 95, 13:30 100, 14:50 45, 16:30 18, 18:00 50, 19:50 100, 21:50 95, 23:00 35, 23:55 0'

export const RESTAURANT: SiteKind = {
  base: 0.28,
  work: RESTAURANT_ACTIVITY,
  monday: '',
  saturday: RESTAURANT_ACTIVITY,
  sunday: '8:30 0, 10:00 40, 11:50 100, 14:00 100, 15:30 30, 16:30 0',
  holiday: 0.6,
  vacation: 0.95,
  closes: false,
  heat: 0.006,
  cool: 0.025,
  light: 0.05,
  grain: 0.08,
  shift: 20,
}
