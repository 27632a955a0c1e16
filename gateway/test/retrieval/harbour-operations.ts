/** The operations of an invented harbour: name, method, path, tag, description, parameters. */
const TABLE = `
listBerths|GET|/berths|berths|All berths with their length and depth|free,minLength
getBerth|GET|/berths/{berthId}|berths|One berth|berthId
createBerth|POST|/berths|berths|Registers a new berth|length,depth,quay
updateBerth|PATCH|/berths/{berthId}|berths|Changes the data of a berth|berthId,length,depth
deleteBerth|DELETE|/berths/{berthId}|berths|Takes a berth out of the register|berthId
reserveBerth|POST|/berths/{berthId}/reservations|berths|Reserves a berth for a stay|berthId,vesselId,arrival,departure
cancelReservation|DELETE|/reservations/{reservationId}|berths|Cancels a reservation of a berth|reservationId
listReservations|GET|/reservations|berths|Reservations of a period|from,to,vesselId
findFreeBerths|POST|/berths/search|berths|Berths that are free for a vessel of a given length and draught|length,draught,arrival,departure
listVessels|GET|/vessels|vessels|Vessels known to the harbour|flag,type
getVessel|GET|/vessels/{vesselId}|vessels|One vessel with its dimensions|vesselId
registerVessel|POST|/vessels|vessels|Registers a vessel|name,imoNumber,flag,length
updateVessel|PUT|/vessels/{vesselId}|vessels|Replaces the data of a vessel|vesselId,name,flag
deleteVessel|DELETE|/vessels/{vesselId}|vessels|Removes a vessel|vesselId
getVesselPosition|GET|/vessels/{vesselId}/position|vessels|Where a vessel is now, from its transponder|vesselId
getVesselTrack|GET|/vessels/{vesselId}/track|vessels|Earlier positions of a vessel|vesselId,since
listVesselCertificates|GET|/vessels/{vesselId}/certificates|vessels|Certificates of a vessel with their expiry|vesselId
uploadVesselCertificate|POST|/vessels/{vesselId}/certificates|vessels|Stores a scanned certificate|vesselId,file
announceArrival|POST|/port-calls|port-calls|Announces the arrival of a vessel|vesselId,eta,lastPort
listPortCalls|GET|/port-calls|port-calls|Expected and present vessels|status,date
getPortCall|GET|/port-calls/{callId}|port-calls|One port call with its times|callId
updateArrivalTime|PATCH|/port-calls/{callId}/eta|port-calls|Changes the expected time of arrival|callId,eta
recordDeparture|POST|/port-calls/{callId}/departure|port-calls|Records that a vessel has left|callId,time
requestPilot|POST|/port-calls/{callId}/pilot|pilots|Asks for a pilot|callId,boardingTime
listPilots|GET|/pilots|pilots|Pilots on duty|date
assignPilot|PUT|/pilot-requests/{requestId}/pilot|pilots|Assigns a pilot to a request|requestId,pilotId
cancelPilotRequest|DELETE|/pilot-requests/{requestId}|pilots|Withdraws the request for a pilot|requestId
orderTug|POST|/port-calls/{callId}/tugs|tugs|Orders tugs for a manoeuvre|callId,count,time
listTugs|GET|/tugs|tugs|Tugs and whether they are available|available
getTugSchedule|GET|/tugs/{tugId}/schedule|tugs|Planned jobs of a tug|tugId,date
listContainers|GET|/containers|cargo|Containers in the terminal|callId,status
getContainer|GET|/containers/{containerNumber}|cargo|One container|containerNumber
trackContainer|GET|/containers/{containerNumber}/events|cargo|Everything that happened to a container|containerNumber
moveContainer|POST|/containers/{containerNumber}/moves|cargo|Orders a container to another place in the yard|containerNumber,row,bay
releaseContainer|POST|/containers/{containerNumber}/release|cargo|Releases a container for pick-up|containerNumber,carrier
holdContainer|POST|/containers/{containerNumber}/hold|cargo|Keeps a container from leaving|containerNumber,reason
createManifest|POST|/manifests|cargo|Files the cargo manifest of a port call|callId,items
getManifest|GET|/manifests/{manifestId}|cargo|A cargo manifest|manifestId
declareDangerousGoods|POST|/dangerous-goods|cargo|Declares hazardous cargo|callId,unNumber,quantity
listDangerousGoods|GET|/dangerous-goods|cargo|Hazardous cargo in the harbour|class
submitCustomsDeclaration|POST|/customs/declarations|customs|Submits a declaration to customs|manifestId,value
getCustomsStatus|GET|/customs/declarations/{declarationId}|customs|State of a customs declaration|declarationId
payCustomsDuty|POST|/customs/declarations/{declarationId}/payment|customs|Pays the duty of a declaration|declarationId,account
getTides|GET|/tides|conditions|High and low water|station,date
getWeather|GET|/weather|conditions|Wind, waves and visibility at the harbour entrance|hours
getWaterLevel|GET|/water-level|conditions|Measured water level|station
listNavigationWarnings|GET|/warnings|conditions|Warnings to mariners in force|area
publishNavigationWarning|POST|/warnings|conditions|Publishes a warning to mariners|text,area,until
withdrawNavigationWarning|DELETE|/warnings/{warningId}|conditions|Withdraws a warning to mariners|warningId
listCrewMembers|GET|/vessels/{vesselId}/crew|crew|Crew of a vessel|vesselId
addCrewMember|POST|/vessels/{vesselId}/crew|crew|Adds a person to a crew list|vesselId,name,passport,rank
removeCrewMember|DELETE|/vessels/{vesselId}/crew/{personId}|crew|Takes a person off a crew list|vesselId,personId
requestShoreLeave|POST|/shore-passes|crew|Applies for shore leave|personId,date
listShorePasses|GET|/shore-passes|crew|Shore passes that were issued|personId
scheduleInspection|POST|/inspections|inspections|Schedules an inspection of a vessel|vesselId,date,kind
listInspections|GET|/inspections|inspections|Inspections, planned and done|vesselId,result
getInspectionReport|GET|/inspections/{inspectionId}/report|inspections|The report of an inspection as PDF|inspectionId
recordDeficiency|POST|/inspections/{inspectionId}/deficiencies|inspections|Records a deficiency that an inspector found|inspectionId,text
detainVessel|POST|/vessels/{vesselId}/detention|inspections|Forbids a vessel to leave|vesselId,reason
liftDetention|DELETE|/vessels/{vesselId}/detention|inspections|Allows a detained vessel to leave again|vesselId
reportIncident|POST|/incidents|incidents|Reports an accident, spill or near miss|kind,place,text
listIncidents|GET|/incidents|incidents|Incidents of a period|from,to,severity
closeIncident|POST|/incidents/{incidentId}/closure|incidents|Closes an incident|incidentId,conclusion
attachIncidentPhoto|POST|/incidents/{incidentId}/photos|incidents|Adds a picture to an incident|incidentId,image
listInvoices|GET|/invoices|billing|Invoices with their state|customerId,open
getInvoice|GET|/invoices/{invoiceId}|billing|One invoice|invoiceId
createInvoice|POST|/invoices|billing|Draws up an invoice for a port call|callId,items
voidInvoice|POST|/invoices/{invoiceId}/void|billing|Declares an invoice void|invoiceId,reason
recordPayment|POST|/invoices/{invoiceId}/payments|billing|Records a payment that came in|invoiceId,amount
sendInvoiceReminder|POST|/invoices/{invoiceId}/reminders|billing|Reminds a debtor of an invoice|invoiceId
listTariffs|GET|/tariffs|billing|Harbour dues and other charges|year
calculateHarbourDues|POST|/tariffs/calculation|billing|Calculates the dues of a stay beforehand|grossTonnage,hours
listUsers|GET|/users|accounts|People with access to the system|role
inviteUser|POST|/users/invitations|accounts|Invites somebody by mail|email,role
deactivateUser|POST|/users/{userId}/deactivation|accounts|Takes away somebody's access|userId
changeUserRole|PUT|/users/{userId}/role|accounts|Gives somebody another role|userId,role
resetPassword|POST|/users/{userId}/password-reset|accounts|Sends a link to choose a new password|userId
createApiKey|POST|/api-keys|accounts|Makes a key for programs|name,scopes
revokeApiKey|DELETE|/api-keys/{keyId}|accounts|Makes a key useless|keyId
listApiKeys|GET|/api-keys|accounts|Keys for programs|active
listWebhooks|GET|/webhooks|accounts|Addresses that are told of events|event
createWebhook|POST|/webhooks|accounts|Tells an address of events|url,events
deleteWebhook|DELETE|/webhooks/{webhookId}|accounts|Stops telling an address|webhookId
getAuditLog|GET|/audit-log|accounts|Who did what and when|userId,since
getOccupancyReport|GET|/reports/occupancy|reports|How well the berths were used|month
getCargoStatistics|GET|/reports/cargo|reports|Tonnes handled by kind of goods|year
getEmissionsReport|GET|/reports/emissions|reports|Exhaust of vessels at berth|year
exportPortCalls|GET|/reports/port-calls.csv|reports|All port calls as a CSV file|from,to
connectShorePower|POST|/berths/{berthId}/shore-power|services|Connects a vessel to electricity from land|berthId,voltage
disconnectShorePower|DELETE|/berths/{berthId}/shore-power|services|Disconnects a vessel from electricity|berthId
orderFreshWater|POST|/port-calls/{callId}/fresh-water|services|Orders drinking water|callId,cubicMetres
orderBunkers|POST|/port-calls/{callId}/bunkers|services|Orders fuel|callId,grade,tonnes
requestWasteCollection|POST|/port-calls/{callId}/waste|services|Has garbage and sludge collected|callId,kind,volume
openLock|POST|/locks/{lockId}/passages|locks|Asks for passage through a lock|lockId,vesselId
getLockQueue|GET|/locks/{lockId}/queue|locks|Who waits before a lock|lockId
listBridgeOpenings|GET|/bridges/openings|locks|When the bridges open|date
requestBridgeOpening|POST|/bridges/{bridgeId}/openings|locks|Asks for a bridge to be opened|bridgeId,time`;

export interface HarbourOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly description: string;
  readonly parameters: readonly string[];
}

export const HARBOUR: readonly HarbourOperation[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [name, method, path, tag, description, parameters] = line.split('|') as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    return { name, method, path, tag, description: `${description}.`, parameters: parameters.split(',') };
  });
