import { z } from 'zod'

export const ParticipantKind = z.enum(['person', 'organisation'])
export const ParticipantRole = z.enum(['consumer', 'producer', 'both'])
export const ParticipantState = z.enum(['active', 'upcoming', 'past', 'none'])
