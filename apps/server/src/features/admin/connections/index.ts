export { countConnections, createConnection, seedWeather } from './connections.ts'
export { deliverFile, describeDeliveryBlock } from './deliver-file.ts'
export { getConnectionRunOptions } from './jobs.ts'
