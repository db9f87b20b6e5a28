export { buildVerificationRecord, computeProofUpdate, getTrustedUntil, listProvedDomains } from './domains.ts'
export { seedSso } from './seed.ts'
export { createSsoAccount, getRoleForGroups, requireProvedDomain } from './sso-account.ts'
export { getSsoRoleRules, type SsoConnectionRow, SsoRefusal } from './sso-connection.ts'
