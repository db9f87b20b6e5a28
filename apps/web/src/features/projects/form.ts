import { type ProjectDetail, type ProjectDraft, ProjectUpdate } from '@voisol/contract/projects'
import { z } from 'zod'
import { positionText } from '../../lib/position.ts'
import { priceText, typedPrice } from '../../lib/price.ts'
import { numberText, typedDay, typedNumber, typedPosition } from '../../lib/typed-fields.ts'
import type { Update } from './body.ts'

const { name, kind, description, address, postalCode, city, perimeter, zone, method } = ProjectUpdate.shape

const identity = { name, kind, address, postalCode, city, position: typedPosition, targetOn: typedDay }

/** The short form: a name is enough to begin with. */
export const NewForm = z.object(identity)
export const NEW: z.input<typeof NewForm> = {
  name: '',
  kind: 'coownership',
  address: '',
  postalCode: '',
  city: '',
  position: '',
  targetOn: '',
}
export const draftOf = ({ position, ...values }: z.output<typeof NewForm>): z.input<typeof ProjectDraft> => ({
  ...values,
  ...position,
})

export const EditForm = z.object({
  ...identity,
  description,
  perimeter,
  zone,
  method,
  localPrice: typedPrice,
  gridPrice: typedPrice,
  surplusPrice: typedPrice,
  investmentPerKwc: typedNumber({ min: 0, max: 100_000, scale: 100 }),
  yearlyCosts: typedNumber({ min: 0, max: 10_000_000, scale: 100 }),
})

export const editValues = (project: ProjectDetail): z.input<typeof EditForm> => ({
  name: project.name,
  kind: project.kind,
  description: project.description,
  address: project.address,
  postalCode: project.postalCode,
  city: project.city,
  perimeter: project.perimeter,
  zone: project.zone,
  method: project.method,
  position: positionText(project),
  targetOn: project.targetOn ?? '',
  localPrice: priceText(project.localPrice),
  gridPrice: priceText(project.gridPrice),
  surplusPrice: priceText(project.surplusPrice),
  investmentPerKwc: numberText(project.investmentPerKwc, 100),
  yearlyCosts: numberText(project.yearlyCosts, 100),
})
export const changeOf = ({ position, ...values }: z.output<typeof EditForm>): Partial<Update> => ({
  ...values,
  ...position,
})
