import {
  type WhiteLabel,
  WhiteLabelDraft,
  type WhiteLabelRecord,
  type WhiteLabelUpdate,
} from '@voisol/contract/white-label'
import type { z } from 'zod'
import type { useSchemaForm } from '../../lib/form.ts'

export type BrandRecord = z.output<typeof WhiteLabelRecord>
export type BrandFormApi = ReturnType<typeof useSchemaForm<typeof WhiteLabelUpdate>>
export type BrandDraft = z.output<typeof WhiteLabelDraft>

/** What is typed so far, without what is not whole yet. */
export function toValidDraft(values: Record<string, unknown>): BrandDraft {
  const entries = Object.entries(values).filter(([name]) => Object.hasOwn(WhiteLabelDraft.shape, name))
  const validEntries = entries.filter(([name, value]) => {
    const field = WhiteLabelDraft.shape[name as keyof WhiteLabel] // one of its names, as looked above
    return field.safeParse(value).success
  })
  return WhiteLabelDraft.parse(Object.fromEntries(validEntries))
}
