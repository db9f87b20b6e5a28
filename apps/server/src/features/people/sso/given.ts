import type { Connection } from './scope.ts'

/** The addresses of a connection, as they are copied to its provider. Each has its own: an answer meant for one is none for another. */
export function givenBy(origin: string, { companyId, id }: Pick<Connection, 'companyId' | 'id'>) {
  const door = `${origin}/api/sso/in/${companyId}/${id}`
  return {
    redirectUri: `${door}/callback`,
    entityId: `${door}/metadata`,
    acsUrl: `${door}/acs`,
    metadataUrl: `${door}/metadata`,
    scimUrl: `${origin}/scim/v2`,
  }
}
