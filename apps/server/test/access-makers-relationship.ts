import { brandMakers } from './access-brand.ts'
import { joiningMakers } from './access-joining.ts'
import type { ParamsMaker } from './access-makers.ts'
import { portalMakers } from './access-portal.ts'
import { subscriptionMakers } from './access-subscription.ts'
import { supportMakers } from './access-support.ts'

type RelationshipMakerTools = Parameters<typeof supportMakers>[0] & Parameters<typeof joiningMakers>[0]

/** Portal, support and subscription objects. */
export const relationshipMakers = (help: RelationshipMakerTools): [RegExp, ParamsMaker][] => [
  ...brandMakers(),
  ...subscriptionMakers(help.secret),
  ...portalMakers(help.secret),
  ...supportMakers(help),
  ...joiningMakers(help),
]
