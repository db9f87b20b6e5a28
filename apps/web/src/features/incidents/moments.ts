import { z } from 'zod'
import { fromField } from '../../lib/paris-time.ts'

/** A moment as a form types it, on the clock of Paris. */
export const Moment = z
  .string()
  .refine((text) => fromField(text) !== null, 'Date et heure attendues, par exemple 31/12/2026 18:30.')
  .transform((text) => fromField(text) ?? '')
