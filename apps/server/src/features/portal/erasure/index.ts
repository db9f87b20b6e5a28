export { eraseDueParticipants, requestOwnErasure } from './erasure.ts'
