export { enrolLines } from './enrol.ts'
export { getPoint } from './point-view.ts'
export { lockEnrolments } from './rules.ts'
export { listParticipants } from './view.ts'
