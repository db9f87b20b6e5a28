import { CATEGORIES, ContentDraft, type ContentKind } from '@voisol/contract/content'
import { z } from 'zod'
import { fromField, toField } from '../../lib/paris-time.ts'
import { numberText, typedNumber } from '../../lib/typed-fields.ts'

const MINUTES = { min: 5, max: 600 }

/** The contract's draft as a form types it: numbers and dates are text until they are read. */
export const DraftForm = z
  .object({
    ...ContentDraft.shape,
    position: typedNumber({ min: 0, max: 10_000 }),
    minutes: z.union([z.literal('').transform(() => null), typedNumber(MINUTES)]),
    startsAt: z
      .string()
      .refine(
        (text) => text === '' || fromField(text) !== null,
        'Date et heure attendues, par exemple 31/12/2026 18:30.',
      )
      .transform(fromField),
  })
  .refine(({ imageId, imageAlt }) => !imageId || imageAlt !== '', {
    path: ['imageAlt'],
    message: 'Décrivez l’image pour ceux qui ne la voient pas.',
  })
export type DraftFields = z.input<typeof DraftForm>

export const fieldsOf = (draft: ContentDraft): DraftFields => ({
  ...draft,
  position: numberText(draft.position),
  minutes: draft.minutes === null ? '' : numberText(draft.minutes),
  startsAt: toField(draft.startsAt),
})

export const emptyFields = (kind: ContentKind): DraftFields => ({
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
  category: CATEGORIES[kind][0],
})
