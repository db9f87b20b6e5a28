/** Credentials that the simulator accepts. */
export const SIMULATOR_CLIENT = { clientId: 'bac-a-sable', clientSecret: 'bac-a-sable' }
