import { z } from 'zod'
import { parseParisInput } from '../../lib/paris-time.ts'

/** A moment as a form types it, on the clock of Paris. */
export const ParisDateTimeField = z
  .string()
  .refine((text) => parseParisInput(text) !== null, 'Date et heure attendues, par exemple 31/12/2026 18:30.')
  .transform((text) => parseParisInput(text) ?? '')
