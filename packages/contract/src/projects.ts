import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Operation, OperationFinding, Perimeter, Zone } from './operations.ts'
import {
  Address,
  AllocationMethod,
  buildPageSchema,
  Day,
  Id,
  Instant,
  Latitude,
  ListQuery,
  Longitude,
  OptionalEmail,
  OptionalText,
  PostalCode,
  SuccessReply,
  TableFormat,
  Text,
  Version,
} from './primitives.ts'

export const ProjectStatus = z.enum(['prospect', 'study', 'agreement', 'running', 'abandoned'])
const ProjectKind = z.enum(['coownership', 'district', 'industrial', 'authority', 'other'])
const LoadProfile = z.enum([
  'household',
  'household-electric-heating',
  'heat-pump',
  'ev-household',
  'office',
  'shop',
  'school',
  'workshop',
  'cold-store',
  'common-parts',
  'street-lighting',
  'bakery',
  'restaurant',
])

const placeFields = { latitude: Latitude, longitude: Longitude }

export const Roof = z.strictObject({
  building: Text,
  peakWatts: z.int().min(1).max(100_000_000),
  /** Degrees from north, clockwise: 180 is south. */
  azimuth: z.int().min(0).max(360),
  tilt: z.int().min(0).max(90),
  ...placeFields,
})
export const Candidate = z.strictObject({
  name: Text,
  email: OptionalEmail,
  kind: z.enum(['person', 'organisation']),
  /** Empty while it is not known. */
  prm: z
    .string()
    .transform((value) => value.replace(/[\s.-]/g, ''))
    .refine(
      (value) => value === '' || /^\d{14}$/.test(value),
      'Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.',
    ),
  profile: LoadProfile,
  yearlyKwh: z.int().min(0).max(100_000_000),
  /** A point whose stored curve replaces the profile. */
  pointId: Id.nullable(),
  ...placeFields,
})
export const ProjectStep = z.strictObject({ title: Text, dueOn: Day.nullable(), doneOn: Day.nullable() })

const projectFields = {
  name: Text,
  kind: ProjectKind,
  description: z.string().trim().max(2000),
  address: Address,
  postalCode: PostalCode,
  city: OptionalText,
  ...placeFields,
  perimeter: Perimeter,
  zone: Zone,
  /** 1/10 000 of a euro per kWh. */
  localPrice: z.int().min(0).max(100_000),
  gridPrice: z.int().min(0).max(100_000),
  surplusPrice: z.int().min(0).max(100_000),
  /** Cents. */
  investmentPerKwc: z.int().min(0).max(10_000_000),
  yearlyCosts: z.int().min(0).max(1_000_000_000),
  method: AllocationMethod.extract(['default', 'equal', 'priority', 'static']),
  targetOn: Day.nullable(),
}

/** Watt-hours and cents of a typical year. */
export const Study = z.object({
  produced: z.number(),
  consumed: z.number(),
  allocated: z.number(),
  surplus: z.number(),
  selfConsumption: z.number().nullable(),
  selfProduction: z.number().nullable(),
  investmentCents: z.number(),
  savingsCents: z.number(),
  incomeCents: z.number(),
  /** Years until the investment is paid back by income less costs; null where it never is. */
  payback: z.number().nullable(),
  months: z.array(z.object({ month: z.int(), produced: z.number(), consumed: z.number(), allocated: z.number() })),
  /** Mean Wh by hour of the day, for each of the four seasons. */
  days: z.array(
    z.object({
      season: z.enum(['winter', 'spring', 'summer', 'autumn']),
      produced: z.array(z.number()),
      consumed: z.array(z.number()),
      allocated: z.array(z.number()),
    }),
  ),
  participants: z.array(
    z.object({
      name: z.string(),
      profile: LoadProfile,
      measured: z.boolean(),
      consumed: z.number(),
      allocated: z.number(),
      coverage: z.number().nullable(),
      savingsCents: z.number(),
    }),
  ),
  engineVersion: z.string(),
})
export type Study = z.infer<typeof Study>

export const Project = z.object({
  ...projectFields,
  id: Id,
  status: ProjectStatus,
  peakWatts: z.number(),
  candidates: z.int(),
  yearlyKwh: z.number(),
  nextStep: z.object({ title: z.string(), dueOn: Day.nullable(), late: z.boolean() }).nullable(),
  operationId: Id.nullable(),
  studiedAt: Instant.nullable(),
  selfConsumption: z.number().nullable(),
  payback: z.number().nullable(),
  createdAt: Instant,
  version: z.int(),
})
export type Project = z.infer<typeof Project>

export const ProjectDetail = Project.omit({ candidates: true }).extend({
  roofs: z.array(Roof),
  candidates: z.array(Candidate),
  steps: z.array(ProjectStep),
  notes: z.array(z.object({ id: Id, text: z.string(), author: z.string(), createdAt: Instant })),
  study: Study.nullable(),
  /** True where something changed since the study. */
  studyStale: z.boolean(),
  findings: z.array(OperationFinding),
  spread: z.object({ metres: z.int(), from: z.string(), to: z.string() }).nullable(),
  transitions: z.array(ProjectStatus),
})
export type ProjectDetail = z.infer<typeof ProjectDetail>

export const ProjectQuery = ListQuery.extend({
  size: z.coerce.number().int().min(1).max(500).default(25),
  status: ProjectStatus.optional(),
  kind: ProjectKind.optional(),
})
const listFields = {
  roofs: z.array(Roof).max(200),
  candidates: z.array(Candidate).max(2000),
  steps: z.array(ProjectStep).max(100),
}
/** Only the name and kind are needed; prices and costs have usual values. */
export const ProjectDraft = z.strictObject({
  name: Text,
  kind: ProjectKind,
  ...z
    .object({ ...projectFields, ...listFields })
    .omit({ name: true, kind: true })
    .partial().shape,
})
export const ProjectUpdate = z.strictObject({ ...projectFields, ...listFields, version: Version })

const params = z.object({ id: Id })
const itemPath = '/api/projects/:id'

export const projects = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/projects',
    access: { permission: 'projects.read' },
    summary: 'Lister les projets',
    query: ProjectQuery,
    response: buildPageSchema(Project),
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/projects/export',
    access: { permission: 'projects.read' },
    summary: 'Exporter les projets',
    query: ProjectQuery.extend({ format: TableFormat }),
    response: { file: 'text/csv; charset=utf-8' },
  }),
  get: defineEndpoint({
    method: 'GET',
    path: itemPath,
    access: { permission: 'projects.read' },
    summary: 'Lire un projet',
    params,
    response: ProjectDetail,
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/projects',
    access: { permission: 'projects.write' },
    summary: 'Créer un projet',
    body: ProjectDraft,
    response: ProjectDetail,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: itemPath,
    access: { permission: 'projects.write' },
    summary: 'Modifier un projet',
    params,
    body: ProjectUpdate,
    response: ProjectDetail,
  }),
  move: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/status`,
    access: { permission: 'projects.write' },
    summary: 'Changer l’état d’un projet',
    params,
    body: z.strictObject({ status: ProjectStatus, version: Version }),
    response: ProjectDetail,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: itemPath,
    access: { permission: 'projects.write' },
    summary: 'Supprimer un projet',
    params,
    response: SuccessReply,
  }),
  study: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/study`,
    access: { permission: 'projects.write' },
    summary: 'Étudier la faisabilité d’un projet',
    timeout: 120,
    params,
    response: ProjectDetail,
  }),
  note: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/notes`,
    access: { permission: 'projects.write' },
    summary: 'Ajouter une note à un projet',
    params,
    body: z.strictObject({ text: z.string().trim().min(1).max(2000) }),
    response: ProjectDetail,
  }),
  createOperation: defineEndpoint({
    method: 'POST',
    path: `${itemPath}/operation`,
    access: { permission: 'operations.create' },
    summary: 'Créer l’opération d’un projet',
    params,
    body: z.strictObject({ startsOn: Day, version: Version }),
    response: Operation,
  }),
}
