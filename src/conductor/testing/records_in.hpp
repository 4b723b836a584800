#pragma once

#include <filesystem>
#include <fstream>
#include <vector>

namespace kumi::conductor {

/// The records of a file of a run's.
template <class Record>
std::vector<Record> records_in(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<Record> records;
    for (Record record{}; file.read(reinterpret_cast<char*>(&record), sizeof record);)
        records.push_back(record);
    return records;
}

}  // namespace kumi::conductor
