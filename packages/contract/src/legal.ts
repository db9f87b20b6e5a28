import { z } from 'zod'
import { ContentPage } from './content.ts'
import { defineEndpoint } from './endpoint.ts'
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
const FORMS_WITHOUT_CAPITAL: readonly LegalForm[] = [
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

const returnTrue = () => true
const hasCapital = ({ legalForm }: LegalNotice) => !FORMS_WITHOUT_CAPITAL.includes(legalForm)

/** What has to be said, when, and how it is named in a sentence. */
const REQUIRED_FIELDS: Partial<Record<LegalField, { when: (notice: LegalNotice) => boolean; name: string }>> = {
  publisher: { when: returnTrue, name: 'le nom de l’éditeur' },
  legalForm: { when: returnTrue, name: 'sa forme juridique' },
  capital: { when: hasCapital, name: 'son capital social' },
  siren: { when: returnTrue, name: 'son numéro SIREN' },
  registry: { when: hasCapital, name: 'son registre du commerce (RCS)' },
  address: { when: returnTrue, name: 'l’adresse de son siège' },
  email: { when: returnTrue, name: 'son adresse électronique' },
  phone: { when: returnTrue, name: 'son numéro de téléphone' },
  director: { when: returnTrue, name: 'le directeur ou la directrice de la publication' },
  hostName: { when: returnTrue, name: 'le nom de l’hébergeur' },
  hostAddress: { when: returnTrue, name: 'l’adresse de l’hébergeur' },
  hostPhone: { when: returnTrue, name: 'le téléphone de l’hébergeur' },
  officer: { when: ({ hasOfficer }) => hasOfficer, name: 'les coordonnées du délégué à la protection des données' },
  mediator: { when: ({ sellsToConsumers }) => sellsToConsumers, name: 'le médiateur de la consommation' },
}

export const isRequiredField = (notice: LegalNotice, field: LegalField) => REQUIRED_FIELDS[field]?.when(notice) === true

/** What the law asks for and nobody has said yet, in the order in which it is read. */
export const listMissingFields = (notice: LegalNotice): string[] =>
  Object.entries(REQUIRED_FIELDS)
    .filter(([field, { when }]) => when(notice) && notice[field as LegalField] === '') // a key of the table
    .map(([, { name }]) => name)

const StoredNotice = z.object({ notice: LegalNotice, missing: z.array(z.string()), version: z.int() })

/** What the operator gives to whoever entrusts it with data. */
export const LegalDocumentName = z.enum(['accord-de-sous-traitance', 'sous-traitants'])
export type LegalDocumentName = z.infer<typeof LegalDocumentName>

export const legal = {
  read: defineEndpoint({
    method: 'GET',
    path: '/api/legal-notice',
    access: 'public',
    summary: 'Lire les mentions légales du site',
    response: ContentPage.extend({ notice: LegalNotice, missing: z.array(z.string()) }),
  }),
  paper: defineEndpoint({
    method: 'GET',
    path: '/api/legal-documents/:name',
    access: 'public',
    summary: 'Télécharger un document sur les données personnelles',
    params: z.object({ name: LegalDocumentName }),
    response: { file: 'application/pdf' },
  }),
  get: defineEndpoint({
    method: 'GET',
    path: '/api/cms/legal-notice',
    access: { permission: 'content.read' },
    summary: 'Ouvrir les mentions légales du site',
    response: StoredNotice,
  }),
  save: defineEndpoint({
    method: 'PUT',
    path: '/api/cms/legal-notice',
    access: { permission: 'content.write' },
    summary: 'Enregistrer les mentions légales du site',
    body: LegalNotice.extend({ version: z.int().min(0) }),
    response: StoredNotice,
  }),
}
