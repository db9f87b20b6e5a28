import {
  type AnyPgColumn,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { bigNumber, createdAt, day, instant, place, version } from './columns.ts'
import { files } from './files.ts'
import { ownerColumns } from './owned.ts'

/** An operation before it exists. */
export const projects = pgTable(
  'projects',
  {
    ...ownerColumns(),
    name: text('name').notNull(),
    kind: text('kind').notNull(),
    status: text('status').notNull(),
    description: text('description').notNull().default(''),
    address: text('address').notNull().default(''),
    postalCode: text('postal_code').notNull().default(''),
    city: text('city').notNull().default(''),
    ...place(),
    perimeter: text('perimeter').notNull().default('extended'),
    zone: text('zone').notNull().default('metropole'),
    /** 1/10 000 of a euro per kWh: what is paid locally, to the supplier, and for the surplus. */
    localPrice: integer('local_price').notNull(),
    gridPrice: integer('grid_price').notNull(),
    surplusPrice: integer('surplus_price').notNull(),
    /** Cents per kWc, and per year. */
    investmentPerKwc: integer('investment_per_kwc').notNull(),
    yearlyCosts: bigNumber('yearly_costs').notNull().default(0),
    method: text('method').notNull().default('default'),
    targetOn: day('target_on'),
    /** The last study, with the inputs it was made from. */
    study: jsonb('study'),
    studiedAt: instant('studied_at'),
    operationId: uuid('operation_id'),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] })],
)

const ofProject = () => ({ ...ownerColumns(), projectId: uuid('project_id').notNull() })
const belongs = (t: { companyId: AnyPgColumn; projectId: AnyPgColumn }) =>
  foreignKey({ columns: [t.companyId, t.projectId], foreignColumns: [projects.companyId, projects.id] }).onDelete(
    'cascade',
  )

export const projectRoofs = pgTable(
  'project_roofs',
  {
    ...ofProject(),
    building: text('building').notNull(),
    peakWatts: integer('peak_watts').notNull(),
    azimuth: integer('azimuth').notNull(),
    tilt: integer('tilt').notNull(),
    ...place(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), belongs(t)],
)

/** Somebody who may join: a yearly consumption and a profile, or a curve that was imported for the point. */
export const projectCandidates = pgTable(
  'project_candidates',
  {
    ...ofProject(),
    name: text('name').notNull(),
    email: text('email').notNull().default(''),
    kind: text('kind').notNull(),
    prm: text('prm').notNull().default(''),
    profile: text('profile').notNull(),
    yearlyKwh: integer('yearly_kwh').notNull(),
    /** A point whose curve replaces the profile. */
    pointId: uuid('point_id'),
    ...place(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), belongs(t)],
)

export const projectSteps = pgTable(
  'project_steps',
  {
    ...ofProject(),
    title: text('title').notNull(),
    dueOn: day('due_on'),
    doneOn: day('done_on'),
    position: integer('position').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), belongs(t)],
)

export const projectNotes = pgTable(
  'project_notes',
  {
    ...ofProject(),
    text: text('text').notNull(),
    author: text('author').notNull(),
    pinned: boolean('pinned').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.id] }), belongs(t)],
)

/** Files kept with a project or an operation. */
export const documents = pgTable(
  'documents',
  {
    ...ownerColumns(),
    ownerKind: text('owner_kind').notNull(),
    ownerId: uuid('owner_id').notNull(),
    fileId: uuid('file_id').notNull(),
    label: text('label').notNull(),
    addedBy: text('added_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.id] }),
    foreignKey({ columns: [t.companyId, t.fileId], foreignColumns: [files.companyId, files.id] }),
    index('documents_owner').on(t.companyId, t.ownerKind, t.ownerId),
  ],
)
