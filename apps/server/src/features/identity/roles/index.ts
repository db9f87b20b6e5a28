export { listRoles, loadRole, requireGrantablePermissions } from './roles.ts'
