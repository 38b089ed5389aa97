-- What calls to a provider cost in a day (UTC) by the catalogue, set aside before they are sent.
CREATE TABLE provider_day (
    provider TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    micro_usd BIGINT NOT NULL,
    PRIMARY KEY (provider, day)
);
