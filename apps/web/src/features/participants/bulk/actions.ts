import { ConsentPurpose } from '@voisol/contract/consents'
import { Day, Tag } from '@voisol/contract/primitives'
import { z } from 'zod'
import { longestConsent } from '../../../lib/consents.ts'
import { DAY_ERROR } from '../../../lib/day-text.ts'
import { typedDay } from '../../../lib/typed-fields.ts'
import { todayInParis } from '../../../ui/period/period.ts'
import type { Asked } from './selection.ts'

export type Kind = Asked['action']['kind']

/** What each is called, and what came of it. */
export const KINDS: Record<Kind, { title: string; one: string; many: string; hint: string }> = {
  invite: {
    title: 'Inviter au portail',
    one: 'invitation envoyée',
    many: 'invitations envoyées',
    hint: 'Ceux qui ont déjà été invités ne reçoivent rien de plus.',
  },
  ask: {
    title: 'Demander les accords manquants',
    one: 'demande envoyée',
    many: 'demandes envoyées',
    hint: 'Un message part à ceux dont l’accord pour la collecte manque ou se termine bientôt, une fois par semaine au plus.',
  },
  agreement: {
    title: 'Noter l’accord signé',
    one: 'accord enregistré',
    many: 'accords enregistrés',
    hint: 'La date s’inscrit sur chaque participation en cours ou à venir.',
  },
  consent: {
    title: 'Noter un consentement sur papier',
    one: 'consentement enregistré',
    many: 'consentements enregistrés',
    hint: 'Pour des documents signés que vous conservez.',
  },
  entry: {
    title: 'Dater l’entrée',
    one: 'entrée enregistrée',
    many: 'entrées enregistrées',
    hint: 'Chaque participation en cours ou à venir est concernée.',
  },
  exit: {
    title: 'Dater la sortie',
    one: 'sortie enregistrée',
    many: 'sorties enregistrées',
    hint: 'Chaque participation en cours ou à venir est concernée.',
  },
  tags: {
    title: 'Étiqueter',
    one: 'participant étiqueté',
    many: 'participants étiquetés',
    hint: 'Des mots à vous, pour retrouver des participants.',
  },
}

/** « bâtiment B, à rappeler »: words parted by commas. */
const typedTags = z.string().transform((text, context) => {
  const tags = [
    ...new Set(
      text
        .split(/[,;\n]/)
        .map((tag) => tag.trim())
        .filter(Boolean),
    ),
  ]
  if (tags.length <= 10 && tags.every((tag) => Tag.safeParse(tag).success)) return tags
  context.addIssue({ code: 'custom', message: 'Au plus dix étiquettes, de 40 caractères chacune.' })
  return z.NEVER
})

export const BulkForm = z.object({
  on: z.union([Day], DAY_ERROR),
  noticeOn: typedDay,
  purpose: ConsentPurpose,
  expiresOn: z.union([Day], DAY_ERROR),
  add: typedTags,
  remove: typedTags,
})
export type BulkValues = z.output<typeof BulkForm>

export const firstValues = (): z.input<typeof BulkForm> => {
  const today = todayInParis()
  return { on: today, noticeOn: '', purpose: 'collection', expiresOn: longestConsent(today), add: '', remove: '' }
}

type Texts = { purpose: string; version: string }[]

export function actionOf(kind: Kind, values: BulkValues, texts: Texts): Asked['action'] {
  const { on, noticeOn, purpose, expiresOn, add, remove } = values
  switch (kind) {
    case 'invite':
    case 'ask':
      return { kind }
    case 'agreement':
      return { kind, signedOn: on }
    case 'consent': {
      const textVersion = texts.find((text) => text.purpose === purpose)?.version ?? ''
      return { kind, purpose, textVersion, givenOn: on, expiresOn }
    }
    case 'tags':
      return { kind, add, remove }
    default:
      return { kind, on, noticeOn }
  }
}
