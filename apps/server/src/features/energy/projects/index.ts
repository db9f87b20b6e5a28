export { getTypicalCalendar } from './compute-study.ts'
export { buildUsualSteps, changeProjectStatus, createProject } from './edit-project.ts'
export { searchProjects } from './project-queries.ts'
export { studyProject } from './study-project.ts'
