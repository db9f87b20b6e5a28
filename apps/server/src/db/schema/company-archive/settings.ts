import { BookSettings, NewExportProfile } from '@voisol/contract/book-settings'
import { MessageDraft } from '@voisol/contract/messages'
import { PortalSettingsUpdate } from '@voisol/contract/portal-management'
import { Day, Id, Instant, Text } from '@voisol/contract/primitives'
import { Candidate, Project, ProjectStatus, ProjectStep, Roof } from '@voisol/contract/projects'
import { ReportBlocks } from '@voisol/contract/report-blocks'
import { ReportPreset } from '@voisol/contract/reports'
import { BillPart, BillVerdict, NewSupplierBill } from '@voisol/contract/supplier-bills'
import { NewCannedReply, SupportHours } from '@voisol/contract/support-agents'
import { z } from 'zod'
import {
  type ArchiveTable,
  Author,
  Count,
  Energy,
  ignoreColumn,
  isAfter,
  mayReferTo,
  OWN,
  refersTo,
  VERSIONED,
} from './columns.ts'

const project = Project.shape
const roof = Roof.shape
const candidate = Candidate.shape
const step = ProjectStep.shape
const bill = NewSupplierBill.shape
const books = BookSettings.shape
const portal = PortalSettingsUpdate.shape
const message = MessageDraft.shape
const VersionCount = z.int().min(0).max(1_000_000_000)

export const PROJECTS: Record<string, ArchiveTable> = {
  projects: {
    label: 'Projets',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      name: project.name,
      kind: project.kind,
      status: ProjectStatus,
      description: project.description,
      address: project.address,
      postal_code: project.postalCode,
      city: project.city,
      latitude: project.latitude,
      longitude: project.longitude,
      perimeter: project.perimeter,
      zone: project.zone,
      local_price: project.localPrice,
      grid_price: project.gridPrice,
      surplus_price: project.surplusPrice,
      investment_per_kwc: project.investmentPerKwc,
      yearly_costs: project.yearlyCosts,
      method: project.method,
      target_on: project.targetOn,
      study: ignoreColumn('it is computed again on demand'),
      studied_at: ignoreColumn('it is computed again on demand'),
      operation_id: mayReferTo('operations'),
    },
  },
  project_roofs: {
    label: 'Toitures des projets',
    from: 'trusted',
    columns: {
      id: Id,
      project_id: refersTo('projects'),
      building: roof.building,
      peak_watts: roof.peakWatts,
      azimuth: roof.azimuth,
      tilt: roof.tilt,
      latitude: roof.latitude,
      longitude: roof.longitude,
    },
  },
  project_candidates: {
    label: 'Candidats des projets',
    from: 'trusted',
    columns: {
      id: Id,
      project_id: refersTo('projects'),
      name: candidate.name,
      email: candidate.email,
      kind: candidate.kind,
      prm: candidate.prm,
      profile: candidate.profile,
      yearly_kwh: candidate.yearlyKwh,
      point_id: mayReferTo('points'),
      latitude: candidate.latitude,
      longitude: candidate.longitude,
    },
  },
  project_steps: {
    label: 'Étapes des projets',
    from: 'trusted',
    columns: {
      id: Id,
      project_id: refersTo('projects'),
      title: step.title,
      due_on: step.dueOn,
      done_on: step.doneOn,
      position: Count,
    },
  },
  project_notes: {
    label: 'Notes des projets',
    from: 'trusted',
    columns: {
      ...OWN,
      project_id: refersTo('projects'),
      text: z.string().trim().min(1).max(10_000),
      author: Author,
      pinned: z.boolean(),
    },
  },
}

export const SETTINGS_TABLES: Record<string, ArchiveTable> = {
  supplier_bills: {
    label: 'Factures de fournisseurs',
    from: 'trusted',
    columns: {
      ...OWN,
      participant_id: refersTo('participants'),
      point_id: refersTo('points'),
      supplier: bill.supplier,
      number: bill.number,
      from_day: Day,
      to_day: Day,
      deducted_kwh: bill.deductedKwh,
      billed_kwh: bill.billedKwh,
      verdict: BillVerdict,
      expected_wh: Energy.nullable(),
      consumed_wh: Energy.nullable(),
      detail: z.strictObject({ sentences: z.array(z.string().max(2000)).max(100), parts: z.array(BillPart).max(400) }),
      created_by: Author,
    },
    check: isAfter('from_day', 'to_day', 'La période doit compter au moins un jour.'),
  },
  message_templates: {
    label: 'Modèles de message',
    from: 'trusted',
    columns: { ...VERSIONED, name: Text.max(80), subject: message.subject, body: message.body },
  },
  canned_replies: {
    label: 'Réponses types',
    from: 'trusted',
    columns: {
      ...VERSIONED,
      desk: z.literal('organiser'),
      name: NewCannedReply.shape.name,
      body: NewCannedReply.shape.body,
    },
  },
  support_hours: {
    label: 'Horaires du support',
    from: 'trusted',
    columns: { desk: z.literal('organiser'), hours: SupportHours, version: VersionCount },
  },
  portal_settings: {
    label: 'Réglages du portail',
    from: 'trusted',
    columns: {
      blocks: portal.blocks,
      comparison: portal.comparison,
      welcome: portal.welcome,
      version: VersionCount,
    },
  },
  report_templates: {
    label: 'Modèles de rapport',
    from: 'trusted',
    columns: { ...VERSIONED, preset: ReportPreset, name: Text, blocks: ReportBlocks },
  },
  book_settings: {
    label: 'Plan de comptes',
    from: 'trusted',
    columns: {
      seller_id: refersTo('sellers'),
      chart: books.chart,
      journals: books.journals,
      year_start: books.yearStart,
      small_write_off: books.smallWriteOff,
      version: VersionCount,
    },
  },
  book_profiles: {
    label: 'Modèles d’export comptable',
    from: 'trusted',
    columns: { ...VERSIONED, name: NewExportProfile.shape.name, profile: NewExportProfile.shape.profile },
  },
  duty_marks: {
    label: 'Obligations déclarées accomplies',
    from: 'trusted',
    columns: {
      duty: z.string().min(1).max(200),
      done_on: Day,
      note: z.string().max(2000),
      created_by: Author,
      created_at: Instant,
    },
  },
  contract_events: {
    label: 'Événements de contrat',
    from: 'trusted',
    columns: {
      ...OWN,
      prm: z.string().regex(/^\d{14}$/),
      event: z.string().max(60),
      on_day: Day,
      collective: z.int().min(0).max(1000).nullable(),
      file_id: ignoreColumn('the file it was read from stays in the archive'),
    },
  },
}
