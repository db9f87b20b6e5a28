import type { SsoConnectionRow } from './scope.ts'

/** The addresses of a connection, as they are copied to its provider. Each has its own: an answer meant for one is none for another. */
export function getServiceUrls(origin: string, { companyId, id }: Pick<SsoConnectionRow, 'companyId' | 'id'>) {
  const baseUrl = `${origin}/api/sso/in/${companyId}/${id}`
  return {
    redirectUri: `${baseUrl}/callback`,
    entityId: `${baseUrl}/metadata`,
    acsUrl: `${baseUrl}/acs`,
    metadataUrl: `${baseUrl}/metadata`,
    scimUrl: `${origin}/scim/v2`,
  }
}
