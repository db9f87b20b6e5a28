import { z } from 'zod'
import { CurrentUser } from './auth.ts'
import { defineEndpoint } from './endpoint.ts'
import { OptionalText, Text, Version } from './primitives.ts'

export const ProfileUpdate = z.strictObject({ firstName: Text, lastName: Text, phone: OptionalText, version: Version })

export const profile = {
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/profile',
    access: 'signed-in',
    reaches: 'person',
    summary: 'Modifier son profil',
    body: ProfileUpdate,
    response: CurrentUser,
  }),
  export: defineEndpoint({
    method: 'GET',
    path: '/api/profile/export',
    access: 'signed-in',
    reaches: 'person-or-company',
    summary: 'Télécharger ses données',
    response: { file: 'application/zip' },
  }),
}
