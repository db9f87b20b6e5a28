export { compactIban, findIbanError } from '../../../core/iban.ts'
export { buildBulkTrial } from './bulk-actions.ts'
export {
  changeParticipations,
  createParticipation,
  removeParticipation,
  transferPoint,
  updateParticipation,
} from './change-participations.ts'
export { decryptIban, lockParticipant, updateParticipantRow } from './edit-participant.ts'
export { enrolParticipants } from './enrol-participants.ts'
export { importParticipants } from './import-participants.ts'
export { participantScope, pointScope } from './participant-scope.ts'
export { lockEnrolments } from './participation-rules.ts'
export { listPointViews, loadPoint, resolvePointId } from './point-queries.ts'
export { inviteParticipant } from './portal-access.ts'
export { addParticipantDetails, addPointDetails, searchParticipants, searchPoints } from './search-participants.ts'
export { countParticipants } from './select-participants.ts'
