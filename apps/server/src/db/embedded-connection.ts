/** The superuser role made by initdb: it is used only to create the other roles. */
export const SUPERUSER_ROLE = 'voisol'
/** Owns the database and its tables. */
export const OWNER_ROLE = 'voisol_owner'
export const APPLICATION_ROLE = 'voisol_app'
export const DATABASE_NAME = 'voisol'

export const buildConnectionUrl = (socket: string, database: string, role: string) =>
  // `pg` prefers the host of the query; the one before it only keeps the address readable by any URL parser.
  `postgres://${role}@localhost/${database}?host=${encodeURIComponent(socket)}`
