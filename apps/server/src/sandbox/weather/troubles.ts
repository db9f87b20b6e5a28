import { z } from 'zod'

/** The faults in force. `answers` are the statuses of the next calls, in order. */
export const WeatherTroubles = z.strictObject({
  answers: z.array(z.int()).default([]),
  slowMs: z.int().min(0).max(60_000).default(0),
  nulls: z.boolean().default(false),
  missingHours: z.boolean().default(false),
  html: z.boolean().default(false),
})
export type WeatherTroubles = z.output<typeof WeatherTroubles>
