export { getAnnouncedDays, listPublicIncidents } from './incident-queries.ts'
