import { z } from 'zod'

export const ParticipantKind = z.enum(['person', 'organisation'])
/** A battery makes its holder neither a consumer nor a producer; who has nothing else has it for a role. */
export const ParticipantRole = z.enum(['consumer', 'producer', 'both', 'storage'])
export const ParticipantState = z.enum(['active', 'upcoming', 'past', 'none'])
