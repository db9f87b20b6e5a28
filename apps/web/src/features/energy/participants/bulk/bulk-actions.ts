import type { RunBulkActionInput } from '@voisol/contract/bulk'
import { ConsentPurpose } from '@voisol/contract/consents'
import { Day, Tag } from '@voisol/contract/primitives'
import { z } from 'zod'
import { getTodayInParis } from '../../../../components/period/period.ts'
import { getLatestConsentExpiry } from '../../../../lib/consents.ts'
import { DAY_ERROR } from '../../../../lib/day-input.ts'
import { dayInputSchema } from '../../../../lib/field-schemas.ts'
import { formatCount } from '../../../../lib/format.ts'

export type BulkActionKind = BulkRequest['action']['kind']

/** What each is called, and what came of it. */
export const BULK_ACTION_LABELS: Record<BulkActionKind, { title: string; one: string; many: string; hint: string }> = {
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
const tagsInputSchema = z.string().transform((text, context) => {
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

export const BulkActionForm = z.object({
  on: z.union([Day], DAY_ERROR),
  noticeOn: dayInputSchema,
  purpose: ConsentPurpose,
  expiresOn: z.union([Day], DAY_ERROR),
  add: tagsInputSchema,
  remove: tagsInputSchema,
})
type BulkActionValues = z.output<typeof BulkActionForm>

export const getInitialBulkValues = (): z.input<typeof BulkActionForm> => {
  const today = getTodayInParis()
  return {
    on: today,
    noticeOn: '',
    purpose: 'collection',
    expiresOn: getLatestConsentExpiry(today),
    add: '',
    remove: '',
  }
}

type ConsentTextVersions = { purpose: string; version: string }[]

export function toBulkAction(
  kind: BulkActionKind,
  values: BulkActionValues,
  texts: ConsentTextVersions,
): BulkRequest['action'] {
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

export type BulkRequest = z.input<typeof RunBulkActionInput>
type ListFilters = Record<string, unknown>

const VIEW_PARAMS = ['page', 'size', 'sort']
/** The reader's filters without pages: all who match, whatever the page. */
export const toBulkFilter = (filters: ListFilters, operationId?: string): ListFilters => ({
  ...Object.fromEntries(
    Object.entries(filters).filter(([key, value]) => !VIEW_PARAMS.includes(key) && value !== undefined && value !== ''),
  ),
  ...(operationId && { operationId }),
})

/** Those who were ticked, or all who match the filters of the moment. */
export type ParticipantSelection = { ids: string[]; filter: ListFilters | null; count: number }

export const toBulkSelection = ({ ids, filter }: ParticipantSelection) =>
  (filter ? { filter } : { ids }) as BulkRequest['selection'] // the list's own query schema parsed the filters

export const describeSelection = ({ filter, count }: ParticipantSelection) =>
  filter
    ? `Les ${formatCount(count, 'participant qui correspond', 'participants qui correspondent')}`
    : formatCount(count, 'participant sélectionné', 'participants sélectionnés')
