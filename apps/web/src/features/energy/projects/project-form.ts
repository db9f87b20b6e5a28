import { type ProjectDetail, type ProjectDraft, ProjectUpdate } from '@voisol/contract/projects'
import { z } from 'zod'
import {
  dayInputSchema,
  formatNumberInput,
  formatPosition,
  numberInputSchema,
  positionInputSchema,
} from '../../../lib/field-schemas.ts'
import { formatPriceInput, priceInputSchema } from '../../../lib/price.ts'
import type { ProjectUpdateBody } from './use-project.tsx'

const { name, kind, description, address, postalCode, city, perimeter, zone, method } = ProjectUpdate.shape

const identityFields = {
  name,
  kind,
  address,
  postalCode,
  city,
  position: positionInputSchema,
  targetOn: dayInputSchema,
}

/** The short form: a name is enough to begin with. */
export const NewProjectForm = z.object(identityFields)
export const EMPTY_PROJECT: z.input<typeof NewProjectForm> = {
  name: '',
  kind: 'coownership',
  address: '',
  postalCode: '',
  city: '',
  position: '',
  targetOn: '',
}
export const toProjectDraft = ({
  position,
  ...values
}: z.output<typeof NewProjectForm>): z.input<typeof ProjectDraft> => ({
  ...values,
  ...position,
})

export const ProjectEditForm = z.object({
  ...identityFields,
  description,
  perimeter,
  zone,
  method,
  localPrice: priceInputSchema,
  gridPrice: priceInputSchema,
  surplusPrice: priceInputSchema,
  investmentPerKwc: numberInputSchema({ min: 0, max: 100_000, scale: 100 }),
  yearlyCosts: numberInputSchema({ min: 0, max: 10_000_000, scale: 100 }),
})

export const toProjectEditForm = (project: ProjectDetail): z.input<typeof ProjectEditForm> => ({
  name: project.name,
  kind: project.kind,
  description: project.description,
  address: project.address,
  postalCode: project.postalCode,
  city: project.city,
  perimeter: project.perimeter,
  zone: project.zone,
  method: project.method,
  position: formatPosition(project),
  targetOn: project.targetOn ?? '',
  localPrice: formatPriceInput(project.localPrice),
  gridPrice: formatPriceInput(project.gridPrice),
  surplusPrice: formatPriceInput(project.surplusPrice),
  investmentPerKwc: formatNumberInput(project.investmentPerKwc, 100),
  yearlyCosts: formatNumberInput(project.yearlyCosts, 100),
})
export const toProjectChange = ({
  position,
  ...values
}: z.output<typeof ProjectEditForm>): Partial<ProjectUpdateBody> => ({
  ...values,
  ...position,
})

/** The field of a position, the same in every form. */
export const POSITION_FIELD = {
  label: 'Position',
  hint: 'Latitude et longitude, comme les donne une carte.',
  placeholder: '45,7601 ; 4,8512',
  autoComplete: 'off',
  optional: true,
} as const
