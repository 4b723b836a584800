#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace kumi::mpi {
namespace {

using Classes = std::map<std::string, std::string>;

struct Function {
    std::string language;
    std::string name;
    std::string call_class;
};

#define KUMI_MPI_C(name, call_class, communicator, datatype) {"C", #name, #call_class},
#define KUMI_MPI_C4(name, call_class, communicator, datatype) {"C", #name, #call_class},
#define KUMI_MPI_FORTRAN(name, call_class, communicator, datatype) {"Fortran", #name, #call_class},
#define KUMI_MPI_F08(name, call_class, communicator, datatype) {"Fortran 2008", #name, #call_class},
const Function kFunctions[] = {
#include "mpi/mpi_functions.def"
};

Classes classes_in(const std::string& language) {
    Classes classes;
    for (const Function& function : kFunctions)
        if (function.language == language) classes.emplace(function.name, function.call_class);
    return classes;
}

const Classes kC = classes_in("C");
const Classes kFortran = classes_in("Fortran");
const Classes kF08 = classes_in("Fortran 2008");

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), ::tolower);
    return text;
}

void expect_class(const std::string& call_class, std::initializer_list<const char*> names) {
    for (const char* name : names) EXPECT_EQ(kC.at(name), call_class) << name;
}

TEST(FunctionList, ClassesOfKnownFunctions) {
    expect_class("Blocking", {"MPI_Send", "MPI_Send_c", "MPI_Isend", "MPI_Wait", "MPI_Allreduce",
                              "MPI_Comm_dup_with_info", "MPI_Comm_free", "MPI_Mrecv",
                              "MPI_File_read_all", "MPI_Cart_create", "MPI_Pready",
                              "MPI_Comm_split_type", "MPI_Buffer_detach", "MPI_Irecv", "MPI_Imrecv",
                              "MPI_Recv_init", "MPI_Ssend_init_c", "MPI_Intercomm_create"});
    expect_class("Background",
                 {"MPI_Ibcast", "MPI_Ibarrier", "MPI_Iallgatherv_c", "MPI_Ineighbor_alltoallw",
                  "MPI_Allreduce_init", "MPI_Barrier_init", "MPI_Psend_init", "MPI_Isendrecv",
                  "MPI_Comm_idup", "MPI_File_iwrite_all", "MPI_File_read_all_begin",
                  "MPI_Buffer_iflush", "MPIX_Stream_send"});
    expect_class("Synchronous", {"MPI_Ssend", "MPI_Ssend_c", "MPI_Issend"});
    expect_class("Persistent", {"MPI_Start", "MPI_Startall"});
    expect_class("Probing", {"MPI_Probe", "MPI_Mprobe"});
    expect_class("Polling", {"MPI_Test", "MPI_Testall", "MPI_Testany", "MPI_Testsome", "MPI_Iprobe",
                             "MPI_Improbe", "MPI_Request_get_status", "MPI_Win_test",
                             "MPI_Request_get_status_any", "MPI_Parrived"});
    expect_class("Window", {"MPI_Win_fence", "MPI_Put", "MPI_Rget_accumulate_c", "MPI_Win_create",
                            "MPI_Win_free", "MPI_Win_unlock", "MPI_Compare_and_swap"});
    expect_class("Local", {"MPI_Comm_rank", "MPI_Type_size", "MPI_Get_count", "MPI_Test_cancelled",
                           "MPI_Win_get_attr", "MPI_Initialized", "MPI_Pack", "MPI_Pcontrol",
                           "MPI_Group_incl", "MPI_Get_address", "MPI_Win_shared_query"});
    expect_class("Special", {"MPI_Init", "MPI_Init_thread", "MPI_Finalize", "MPI_Abort",
                             "MPI_Wtime", "MPI_Wtick", "MPI_Session_init", "MPI_Session_finalize"});
    expect_class("Generalized", {"MPI_Grequest_start", "MPIX_Grequest_class_allocate"});
    expect_class("Completing", {"MPI_Grequest_complete"});
    expect_class("Freeing", {"MPI_Type_free"});
    expect_class("Refused", {"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "MPI_Comm_accept",
                             "MPI_Comm_connect", "MPI_Comm_join"});
}

TEST(FunctionList, LargeCountVariantsAreOfTheSameClass) {
    int compared = 0;
    for (const auto& [name, call_class] : kC) {
        if (!name.ends_with("_c")) continue;
        const auto plain = kC.find(name.substr(0, name.size() - 2));
        if (plain == kC.end()) continue;
        EXPECT_EQ(call_class, plain->second) << name;
        ++compared;
    }
    EXPECT_GT(compared, 150);
}

TEST(FunctionList, FortranIsOfTheSameClassAsC) {
    Classes in_c;
    for (const auto& [name, call_class] : kC)
        if (name.starts_with("MPI_")) in_c[lower(name.substr(4))] = call_class;
    int compared = 0;
    for (const Classes* fortran : {&kFortran, &kF08}) {
        for (const auto& [name, call_class] : *fortran) {
            const auto same = in_c.find(name);
            if (same == in_c.end()) continue;
            EXPECT_EQ(call_class, same->second) << name;
            ++compared;
        }
    }
    EXPECT_GT(compared, 600);
}

}  // namespace
}  // namespace kumi::mpi
