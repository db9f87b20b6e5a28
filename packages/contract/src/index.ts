import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { companies } from './companies.ts'
import type { Endpoint } from './endpoint.ts'
import { notifications } from './notifications.ts'
import { profile } from './profile.ts'
import { status } from './status.ts'
import { users } from './users.ts'
import { whiteLabel } from './white-label.ts'

/** Every HTTP endpoint of the product. What is not here cannot be called. */
export const api = { auth, companies, whiteLabel, users, profile, notifications, audit, status }

export const endpoints: Endpoint[] = Object.values(api).flatMap((feature) => Object.values(feature))
