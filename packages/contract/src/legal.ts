import { z } from 'zod'
import { ContentPage } from './content.ts'
import { endpoint } from './endpoint.ts'
import { Address, OptionalEmail, OptionalText, Siren } from './primitives.ts'

export const LegalForm = z.enum([
  '',
  'SAS',
  'SASU',
  'SARL',
  'SA',
  'SCIC',
  'SCOP',
  'SNC',
  'association',
  'coopérative',
  'entreprise individuelle',
  'établissement public',
  'collectivité territoriale',
])
export type LegalForm = z.infer<typeof LegalForm>

/** Those that have neither a share capital nor an entry in the register of commerce. */
const WITHOUT_CAPITAL: readonly LegalForm[] = [
  'association',
  'entreprise individuelle',
  'établissement public',
  'collectivité territoriale',
]

/** What the law asks the publisher of a site to say of itself and of its host (LCEN, articles 1-1 and 6). */
export const LegalNotice = z.strictObject({
  publisher: OptionalText,
  legalForm: LegalForm,
  capital: OptionalText,
  siren: Siren,
  registry: OptionalText,
  vatNumber: OptionalText,
  address: Address,
  email: OptionalEmail,
  phone: OptionalText,
  director: OptionalText,
  hostName: OptionalText,
  hostAddress: Address,
  hostPhone: OptionalText,
  /** A data protection officer was named, and has to be told of. */
  hasOfficer: z.boolean(),
  officer: OptionalText,
  /** Consumers are among the customers: a mediator must be named to them. */
  sellsToConsumers: z.boolean(),
  mediator: OptionalText,
})
export type LegalNotice = z.infer<typeof LegalNotice>
export type LegalField = keyof LegalNotice

export const EMPTY_NOTICE: LegalNotice = {
  publisher: '',
  legalForm: '',
  capital: '',
  siren: '',
  registry: '',
  vatNumber: '',
  address: '',
  email: '',
  phone: '',
  director: '',
  hostName: '',
  hostAddress: '',
  hostPhone: '',
  hasOfficer: false,
  officer: '',
  sellsToConsumers: false,
  mediator: '',
}

const always = () => true
const withCapital = ({ legalForm }: LegalNotice) => !WITHOUT_CAPITAL.includes(legalForm)

/** What has to be said, when, and how it is named in a sentence. */
const REQUIRED: Partial<Record<LegalField, { when: (notice: LegalNotice) => boolean; name: string }>> = {
  publisher: { when: always, name: 'le nom de l’éditeur' },
  legalForm: { when: always, name: 'sa forme juridique' },
  capital: { when: withCapital, name: 'son capital social' },
  siren: { when: always, name: 'son numéro SIREN' },
  registry: { when: withCapital, name: 'son registre du commerce (RCS)' },
  address: { when: always, name: 'l’adresse de son siège' },
  email: { when: always, name: 'son adresse électronique' },
  phone: { when: always, name: 'son numéro de téléphone' },
  director: { when: always, name: 'le directeur ou la directrice de la publication' },
  hostName: { when: always, name: 'le nom de l’hébergeur' },
  hostAddress: { when: always, name: 'l’adresse de l’hébergeur' },
  hostPhone: { when: always, name: 'le téléphone de l’hébergeur' },
  officer: { when: ({ hasOfficer }) => hasOfficer, name: 'les coordonnées du délégué à la protection des données' },
  mediator: { when: ({ sellsToConsumers }) => sellsToConsumers, name: 'le médiateur de la consommation' },
}

export const isAsked = (notice: LegalNotice, field: LegalField) => REQUIRED[field]?.when(notice) === true

/** What the law asks for and nobody has said yet, in the order in which it is read. */
export const missingIn = (notice: LegalNotice): string[] =>
  Object.entries(REQUIRED)
    .filter(([field, { when }]) => when(notice) && notice[field as LegalField] === '') // a key of the table
    .map(([, { name }]) => name)

const Kept = z.object({ notice: LegalNotice, missing: z.array(z.string()), version: z.int() })

/** What the operator gives to whoever entrusts it with data. */
export const LegalPaperName = z.enum(['accord-de-sous-traitance', 'sous-traitants'])
export type LegalPaperName = z.infer<typeof LegalPaperName>

export const legal = {
  read: endpoint({
    method: 'GET',
    path: '/api/legal-notice',
    access: 'public',
    summary: 'Lire les mentions légales du site',
    response: ContentPage.extend({ notice: LegalNotice, missing: z.array(z.string()) }),
  }),
  paper: endpoint({
    method: 'GET',
    path: '/api/legal-documents/:name',
    access: 'public',
    summary: 'Télécharger un document sur les données personnelles',
    params: z.object({ name: LegalPaperName }),
    response: { file: 'application/pdf' },
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/cms/legal-notice',
    access: { permission: 'content.read' },
    summary: 'Ouvrir les mentions légales du site',
    response: Kept,
  }),
  save: endpoint({
    method: 'PUT',
    path: '/api/cms/legal-notice',
    access: { permission: 'content.write' },
    summary: 'Enregistrer les mentions légales du site',
    body: LegalNotice.extend({ version: z.int().min(0) }),
    response: Kept,
  }),
}
