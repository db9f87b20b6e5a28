import { CONTENT_CATEGORIES, ContentDraft, type ContentKind } from '@voisol/contract/content'
import { z } from 'zod'
import { formatParisInput, parseParisInput } from '../../lib/paris-time.ts'
import { formatNumberInput, numberInputSchema } from '../../lib/typed-fields.ts'

const MINUTES_RANGE = { min: 5, max: 600 }

/** The contract's draft as a form types it: numbers and dates are text until they are read. */
export const ContentDraftForm = z
  .object({
    ...ContentDraft.shape,
    position: numberInputSchema({ min: 0, max: 10_000 }),
    minutes: z.union([z.literal('').transform(() => null), numberInputSchema(MINUTES_RANGE)]),
    startsAt: z
      .string()
      .refine(
        (text) => text === '' || parseParisInput(text) !== null,
        'Date et heure attendues, par exemple 31/12/2026 18:30.',
      )
      .transform(parseParisInput),
  })
  .refine(({ imageId, imageAlt }) => !imageId || imageAlt !== '', {
    path: ['imageAlt'],
    message: 'Décrivez l’image pour ceux qui ne la voient pas.',
  })
export type ContentDraftFields = z.input<typeof ContentDraftForm>

export const toContentDraftFields = (draft: ContentDraft): ContentDraftFields => ({
  ...draft,
  position: formatNumberInput(draft.position),
  minutes: draft.minutes === null ? '' : formatNumberInput(draft.minutes),
  startsAt: formatParisInput(draft.startsAt),
})

export const buildEmptyContentFields = (kind: ContentKind): ContentDraftFields => ({
  title: '',
  slug: '',
  summary: '',
  author: '',
  position: '100',
  body: '',
  imageId: null,
  imageAlt: '',
  startsAt: '',
  minutes: '',
  speaker: '',
  joinUrl: '',
  category: CONTENT_CATEGORIES[kind][0],
})
