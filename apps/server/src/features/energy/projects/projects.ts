export { studyProject } from './study.ts'
export { typicalCalendar } from './typical-calendar.ts'
export { usualSteps } from './usual-steps.ts'
export { createProject, moveProject } from './write.ts'
